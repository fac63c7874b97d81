package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManifestTest {

  private static final SegmentFile FILE = new SegmentFile("_0.cfs", 10, "cafe", "beef");

  private static Manifest manifest(long term, long generation) {
    return new Manifest(
        new ShardId("u", 1),
        "n1",
        term,
        generation,
        5,
        4,
        1,
        3,
        List.of(FILE),
        "AQI=",
        Map.of(),
        99);
  }

  @Test
  void standsInTheLogAsJsonThatAPersonCanRead() {
    String json = new String(Json.write(manifest(2, 7)), StandardCharsets.UTF_8);
    assertThat(json).contains("\"next_offset\":5", "\"visible_seq_no\":3", "\"length_bytes\":10");
    assertThat(Json.read(json.getBytes(StandardCharsets.UTF_8), Manifest.class))
        .isEqualTo(manifest(2, 7));
  }

  @Test
  void aFieldOfALaterVersionIsPassedOver() {
    String json = new String(Json.write(manifest(2, 7)), StandardCharsets.UTF_8);
    String later = json.replaceFirst("\\{", "{\"codec\":\"x\",");
    assertThat(Json.read(later.getBytes(StandardCharsets.UTF_8), Manifest.class))
        .isEqualTo(manifest(2, 7));
  }

  private static Manifest readableFrom(@Nullable ReaderVersion oldest) {
    Manifest plain = manifest(2, 7);
    return new Manifest(
        plain.shard(),
        plain.nodeId(),
        plain.term(),
        plain.generation(),
        plain.nextOffset(),
        plain.nextSeqNo(),
        plain.fenceTerm(),
        plain.visibleSeqNo(),
        plain.files(),
        plain.segmentInfos(),
        plain.commitData(),
        plain.createdMillis(),
        oldest);
  }

  @Test
  void statesTheOldestVersionOfReadersOnlyIfItHasOne() {
    Manifest stating = readableFrom(new ReaderVersion(10, 6, 2));
    byte[] json = Json.write(stating);

    assertThat(new String(json, StandardCharsets.UTF_8))
        .endsWith(",\"min_reader_version\":\"10.6/2\"}");
    assertThat(Json.read(json, Manifest.class)).isEqualTo(stating);
    assertThat(new String(Json.write(readableFrom(null)), StandardCharsets.UTF_8))
        .doesNotContain("min_reader_version");
    assertThat(manifest(2, 7)).isEqualTo(readableFrom(null));
  }

  @Test
  void aRestoredShardNeedsTheSameReaders() {
    Manifest restored =
        readableFrom(new ReaderVersion(10, 6, 2)).asBeginningOf(new ShardId("other", 1));

    assertThat(restored.minReaderVersion()).isEqualTo(new ReaderVersion(10, 6, 2));
  }

  @Test
  void theHigherTermIsNewerThenTheHigherGeneration() {
    assertThat(manifest(2, 0).isNewerThan(manifest(1, 9))).isTrue();
    assertThat(manifest(1, 9).isNewerThan(manifest(2, 0))).isFalse();
    assertThat(manifest(1, 2).isNewerThan(manifest(1, 1))).isTrue();
    assertThat(manifest(1, 1).isNewerThan(manifest(1, 1))).isFalse();
  }

  private static Manifest holding(String maxSeqNo) {
    Manifest plain = manifest(2, 7);
    return new Manifest(
        plain.shard(),
        plain.nodeId(),
        plain.term(),
        plain.generation(),
        plain.nextOffset(),
        plain.nextSeqNo(),
        plain.fenceTerm(),
        plain.visibleSeqNo(),
        plain.files(),
        plain.segmentInfos(),
        Map.of(Manifest.MAX_SEQ_NO, maxSeqNo),
        plain.createdMillis());
  }

  @Test
  void itStatesTheHighestSeqNoOfItsFilesUnlessItIsOfAnOlderRelease() {
    assertThat(manifest(2, 7).maxSeqNo()).isEmpty();
    assertThat(holding("6").maxSeqNo()).hasValue(6);
  }

  @Test
  void anotherIndexThatBeginsWithItGivesNoSeqNoOfItsFilesToAnotherOperation() {
    ShardId other = new ShardId("v", 1);

    assertThat(holding("6").asBeginningOf(other))
        .satisfies(begun -> {
          assertThat(begun.nextOffset()).isZero();
          assertThat(begun.nextSeqNo()).isEqualTo(7);
          assertThat(begun.visibleSeqNo()).isEqualTo(6);
        });
    assertThat(holding("3").asBeginningOf(other).nextSeqNo()).isEqualTo(4);
    assertThat(manifest(2, 7).asBeginningOf(other).nextSeqNo()).isEqualTo(4);
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThatThrownBy(() -> manifest(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("term 0");
    byte[] json =
        new String(Json.write(manifest(2, 7)), StandardCharsets.UTF_8)
            .replace("\"term\":2", "\"term\":0")
            .getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Json.read(json, Manifest.class))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void aFileNameNeverLeavesItsFolder() {
    for (String name : List.of("", "a/b", "a\\b", "..", ".x")) {
      assertThatThrownBy(() -> new SegmentFile(name, 1, "c", "h"))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void brokenJsonIsMalformedAndNothingElse() {
    Malformed.feed(Json.write(manifest(2, 7)), json -> Json.read(json, Manifest.class));
  }
}
