package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Manifest;
import io.varve.events.ReaderVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableSegmentsTest {

  private static final ReaderVersion OWN = ReadableSegments.ownVersion();
  private static final ReaderVersion LATER =
      new ReaderVersion(OWN.luceneMajor(), OWN.luceneMinor() + 1, OWN.storedFieldsFormat());

  @TempDir private Path folder;

  private static Manifest manifest(@Nullable ReaderVersion oldest, String codecs) {
    return new Manifest(
        EngineFixture.SHARD,
        "node",
        3,
        7,
        0,
        0,
        1,
        -1,
        List.of(),
        "",
        Map.of(Snapshot.CODECS, codecs),
        0,
        oldest);
  }

  @Test
  void theOwnVersionIsThatOfLuceneWithTheFormatOfStoredFields() {
    assertThat(OWN).isEqualTo(new ReaderVersion(Version.LATEST.major, Version.LATEST.minor, 2));
  }

  @ParameterizedTest
  @CsvSource({"0, 0, true", "0, -1, true", "-1, 5, true", "0, 1, false", "1, 0, false"})
  void segmentsAreReadUpToTheOwnVersion(int minor, int format, boolean readable) {
    ReaderVersion oldest =
        new ReaderVersion(
            OWN.luceneMajor(), OWN.luceneMinor() + minor, OWN.storedFieldsFormat() + format);

    assertThat(ReadableSegments.obstacle(manifest(oldest, "Lucene104")).isEmpty())
        .isEqualTo(readable);
  }

  @Test
  void aManifestThatStatesNoVersionIsJudgedByItsCodecs() {
    assertThat(ReadableSegments.obstacle(manifest(null, "Lucene104,Varve104/2"))).isEmpty();
    assertThat(ReadableSegments.obstacle(manifest(null, "Lucene105"))).isPresent();
    assertThat(ReadableSegments.obstacle(manifest(OWN, "Varve104/3")))
        .hasValue("it has segments of codecs that this node can't read: [Varve104/3]");
  }

  @Test
  void theRefusalNamesBothVersions() {
    assertThatThrownBy(
            () -> ReadableSegments.require(EngineFixture.SHARD, manifest(LATER, "Lucene104")))
        .isInstanceOf(UnreadableSegmentsException.class)
        .hasMessage(
            "generation 7 of term 3 of %s can't be read here: its segments need a node with the"
                + " reader version [%s] or newer, this node has [%s]",
            EngineFixture.SHARD, LATER, OWN);
  }

  @Test
  void aManifestIsNotOpenedRemotelyIfItCannotBeRead() {
    AtomicInteger closed = new AtomicInteger();
    try (SegmentEngine replica = open()) {
      assertThatThrownBy(() ->
              replica.prepare(
                  manifest(LATER, "Lucene104"),
                  (file, position, into) -> {
                    throw new AssertionError("nothing is to be read");
                  },
                  closed::incrementAndGet))
          .hasRootCauseInstanceOf(UnreadableSegmentsException.class);
    }
    assertThat(closed).hasValue(1);
  }

  private SegmentEngine open() {
    return SegmentEngine.open(
        new EngineConfig(EngineFixture.SHARD, folder.resolve("replica"), 0, Map.of()));
  }

  /** A node went back to this release after a newer one had installed a manifest. */
  @Test
  void aFolderOfANewerReleaseIsOpenedWithoutItsManifest() throws Exception {
    try (EngineFixture primary = new EngineFixture(folder.resolve("primary"));
        SegmentEngine replica = open()) {
      primary.index("1", "{\"a\":1}");
      try (Snapshot snapshot = primary.engine.refresh(primary.checkpoint())) {
        EngineFixture.copyFiles(snapshot, folder.resolve("replica"));
        replica.install(primary.manifest(snapshot));
        replica.sync();
      }
    }
    try (SegmentEngine again = open()) {
      assertThat(again.installed()).isNotNull();
    }
    Path kept = folder.resolve("replica/manifest.json");
    String json = Files.readString(kept, StandardCharsets.UTF_8);
    String later = "\"manifest\":{\"min_reader_version\":\"" + LATER + "\",";
    assertThat(json).contains("\"manifest\":{");
    Files.writeString(kept, json.replace("\"manifest\":{", later));

    try (SegmentEngine again = open()) {
      assertThat(again.installed()).isNull();
      assertThat(again.localFiles()).isNotEmpty();
    }
    assertThatThrownBy(() ->
            LocalSegments.handOver(
                folder.resolve("replica"), FSDirectory.open(folder.resolve("replica"))))
        .as("a writer would delete the files")
        .isInstanceOf(UnreadableSegmentsException.class);
    assertThat(kept).hasContent(json.replace("\"manifest\":{", later));
  }
}
