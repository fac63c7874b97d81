package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Manifest;
import io.varve.rpc.CopySegments;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveCodecTest {

  private static final String MODE = "varve.stored_fields.mode";
  private static final String LEVEL = "varve.stored_fields.level";
  private static final long FAST = 1L << 30;
  private static final ForceMergeRequest TO_ONE = new ForceMergeRequest(1, false, false);

  @TempDir Path folder;

  private static void write(EngineFixture fixture, int from, int to) {
    for (int i = from; i < to; i++) {
      fixture.index("id" + i, source(i));
    }
    fixture.refresh();
  }

  private static String source(int i) {
    return "{\"n\":" + i + ",\"text\":\"number " + i + "\"}";
  }

  private static List<String> attribute(EngineFixture fixture, String name) {
    return fixture.engine.segments().segments().stream()
        .map(CopySegments.Segment::attributes)
        .map(attributes -> attributes.getOrDefault(name, "-"))
        .toList();
  }

  private static void allAreThere(EngineFixture fixture, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(fixture.engine.get("id" + i, true).source())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo(source(i));
    }
  }

  @Test
  void newSegmentsUseTheNewCodecAndAllSegmentsCanBeRead() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      write(fixture, 0, 50);
      fixture.engine.settings(Map.of("index.codec", "zstd", "index.codec.compression_level", "5"));
      write(fixture, 50, 100);
      fixture.engine.settings(Map.of("index.codec", "zstd_no_dict"));
      write(fixture, 100, 150);
      fixture.engine.settings(Map.of());
      write(fixture, 150, 200);
      assertThat(attribute(fixture, MODE)).contains("-", "zstd", "zstd_no_dict").hasSize(4);
      assertThat(attribute(fixture, LEVEL)).contains("5", "3");
      allAreThere(fixture, 200);
    }
  }

  @Test
  void aForcedMergeRewritesASegmentOfAnotherCodecOnce() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      write(fixture, 0, 100);
      fixture.engine.settings(Map.of("index.codec", "zstd"));
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      assertThat(attribute(fixture, MODE)).containsExactly("zstd");
      List<String> names = names(fixture);
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      assertThat(names(fixture)).isEqualTo(names);
      fixture.engine.settings(Map.of("index.codec", "best_compression"));
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      assertThat(attribute(fixture, "Lucene90StoredFieldsFormat.mode"))
          .containsExactly("BEST_COMPRESSION");
      allAreThere(fixture, 100);
    }
  }

  @Test
  void segmentsOfAnotherCodecAreRewrittenOneAtATime() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      write(fixture, 0, 50);
      write(fixture, 50, 150);
      fixture.engine.settings(Map.of("index.codec", "zstd"));
      write(fixture, 150, 200);
      String newest = names(fixture).getLast();

      Reencoded first = fixture.engine.reencode(FAST, () -> false);
      fixture.refresh();
      assertThat(first.segments()).isEqualTo(1);
      assertThat(first.bytes()).isPositive();
      assertThat(first.left()).isEqualTo(1);
      assertThat(attribute(fixture, MODE)).containsExactlyInAnyOrder("-", "zstd", "zstd");

      Reencoded second = fixture.engine.reencode(FAST, () -> false);
      fixture.refresh();
      assertThat(second.segments()).isEqualTo(1);
      assertThat(second.left()).isZero();
      assertThat(second.bytes()).isGreaterThan(first.bytes());
      assertThat(attribute(fixture, MODE)).containsExactly("zstd", "zstd", "zstd");
      assertThat(names(fixture)).contains(newest);

      assertThat(fixture.engine.reencode(FAST, () -> false)).isEqualTo(Reencoded.NOTHING);
      allAreThere(fixture, 200);
    }
  }

  @Test
  void aDifferentLevelIsADifferentEncoding() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      fixture.engine.settings(Map.of("index.codec", "zstd", "index.codec.compression_level", "1"));
      write(fixture, 0, 50);
      fixture.engine.settings(Map.of("index.codec", "zstd", "index.codec.compression_level", "5"));
      assertThat(fixture.engine.reencode(FAST, () -> false).segments()).isEqualTo(1);
      fixture.refresh();
      assertThat(attribute(fixture, LEVEL)).containsExactly("5");
    }
  }

  @Test
  void aRewriteThatIsStoppedLeavesTheSegmentUnchangedAndTheNextOneWorks() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      write(fixture, 0, 3_000);
      fixture.engine.settings(Map.of("index.codec", "zstd"));
      AtomicInteger asked = new AtomicInteger();

      Reencoded stopped = fixture.engine.reencode(64 << 10, () -> asked.incrementAndGet() > 3);

      assertThat(asked).hasValueGreaterThan(3);
      assertThat(stopped).isEqualTo(new Reencoded(0, 0, 1));
      fixture.refresh();
      assertThat(attribute(fixture, MODE)).containsExactly("-");
      assertThat(fixture.engine.reencode(FAST, () -> false).segments()).isEqualTo(1);
      fixture.refresh();
      assertThat(attribute(fixture, MODE)).containsExactly("zstd");
      fixture.engine.forceMerge(TO_ONE);
      allAreThere(fixture, 3_000);
    }
  }

  @Test
  void forcedMergesWorkAfterASegmentWasRewritten() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      write(fixture, 0, 50);
      write(fixture, 50, 100);
      fixture.engine.settings(Map.of("index.codec", "zstd"));
      assertThat(fixture.engine.reencode(FAST, () -> false).left()).isEqualTo(1);
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      assertThat(attribute(fixture, MODE)).containsExactly("zstd");
      allAreThere(fixture, 100);
    }
  }

  private static List<String> names(EngineFixture fixture) {
    return fixture.engine.segments().segments().stream().map(CopySegments.Segment::name).toList();
  }

  @Test
  void segmentsReportTheCompressedAndUncompressedSizeOfStoredFields() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      write(fixture, 0, 300);
      CopySegments.StoredFields plain = stored(fixture);
      assertThat(plain.codec()).isEqualTo("default");
      assertThat(plain.bytes()).isPositive();
      assertThat(plain.rawBytes()).isEqualTo(-1);
      fixture.engine.settings(Map.of("index.codec", "zstd", "index.codec.compression_level", "2"));
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      CopySegments.StoredFields merged = stored(fixture);
      assertThat(merged.codec()).isEqualTo("zstd");
      assertThat(merged.level()).isEqualTo(2);
      long sources = 0;
      for (int i = 0; i < 300; i++) {
        sources += source(i).length();
      }
      assertThat(merged.rawBytes()).isGreaterThan(sources).isGreaterThan(merged.bytes());
    }
  }

  private static CopySegments.StoredFields stored(EngineFixture fixture) {
    return fixture.engine.segments().segments().getFirst().storedFields();
  }

  @Test
  void theUncompressedSizeIsKnownAfterMergesThatCopyBlocks() {
    try (EngineFixture fixture = new EngineFixture(folder)) {
      fixture.engine.settings(Map.of("index.codec", "zstd_no_dict"));
      write(fixture, 0, 200);
      write(fixture, 200, 400);
      long before =
          fixture.engine.segments().segments().stream()
              .mapToLong(segment -> segment.storedFields().rawBytes())
              .sum();
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      assertThat(fixture.engine.segments().segments()).hasSize(1);
      assertThat(stored(fixture).rawBytes()).isEqualTo(before).isPositive();
    }
  }

  @Test
  void aReplicaReadsSegmentsOfAllItsCodecsAndRefusesOthersBeforeFetchingFiles() throws Exception {
    try (EngineFixture fixture = new EngineFixture(folder.resolve("primary"));
        SegmentEngine replica =
            SegmentEngine.open(
                new EngineConfig(EngineFixture.SHARD, folder.resolve("replica"), 0, Map.of()))) {
      write(fixture, 0, 50);
      fixture.engine.settings(Map.of("index.codec", "zstd"));
      for (int i = 50; i < 100; i++) {
        fixture.index("id" + i, source(i));
      }
      try (Snapshot snapshot = fixture.engine.refresh(fixture.checkpoint())) {
        EngineFixture.copyFiles(snapshot, folder.resolve("replica"));
        Manifest manifest = fixture.manifest(snapshot);
        assertThat(manifest.commitData()).containsEntry("segment_codecs", "Lucene104,Varve104/2");
        replica.requireReadable(manifest);
        replica.install(manifest);
        assertThat(replica.get("id99", false).source())
            .asString(StandardCharsets.UTF_8)
            .isEqualTo(source(99));
        assertThatThrownBy(() -> replica.requireReadable(needing(manifest, "Lucene104,Varve104/3")))
            .isInstanceOf(EngineException.class)
            .hasMessageEndingWith("can't read: [Varve104/3]");
        assertThatThrownBy(() -> replica.requireReadable(needing(manifest, "Other9")))
            .hasMessageEndingWith("can't read: [Other9]");
      }
    }
  }

  private static Manifest needing(Manifest manifest, String codecs) {
    return new Manifest(
        manifest.shard(),
        manifest.nodeId(),
        manifest.term(),
        manifest.generation(),
        manifest.nextOffset(),
        manifest.nextSeqNo(),
        manifest.fenceTerm(),
        manifest.visibleSeqNo(),
        manifest.files(),
        manifest.segmentInfos(),
        Map.of("segment_codecs", codecs),
        manifest.createdMillis());
  }
}
