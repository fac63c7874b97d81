package io.varve.coordinator.golden;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.CopyProgress;
import io.varve.events.FeatureLevels;
import io.varve.events.FollowerLease;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.NodeHeartbeat;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import io.varve.events.RawRecord;
import io.varve.events.ReaderVersion;
import io.varve.events.RecordHeader;
import io.varve.events.ReplicatedSeqNo;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.Since;
import io.varve.events.SnapshotId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of the topics: operations and fences in binary format, all others as JSON. */
class GoldenRecordsTest {

  private static final String GROUP = "records";
  private static final String OPEN = "open-records";
  private static final ShardId SHARD = new ShardId("books-uuid", 1);
  private static final byte[] SOURCE = "{\"title\":\"ü\"}".getBytes(UTF_8);
  private static final SegmentFile FILE = new SegmentFile("_0.cfs", 10, "cafe", "beef");

  static Manifest manifest() {
    return new Manifest(
        SHARD, "n1", 3, 7, 50, 40, 2, 39, List.of(FILE), "AQI=", Map.of("key", "value"), 99);
  }

  /** As the first level has it. */
  static StoredManifest stored() {
    return stored(manifest());
  }

  private static StoredManifest stored(Manifest manifest) {
    return new StoredManifest(
        SHARD,
        3,
        manifest,
        Map.of("_0.cfs", new StoredManifest.Place("other-uuid", 2, "object", 5, 7L)));
  }

  private static Manifest manifestForReadersFrom(ReaderVersion oldest) {
    return new Manifest(
        SHARD,
        "n1",
        3,
        7,
        50,
        40,
        2,
        39,
        List.of(FILE),
        "AQI=",
        Map.of("key", "value"),
        99,
        oldest);
  }

  private static Golden.Sample operation(String name, Operation operation) {
    return record(1, name, OperationCodec.encode(operation));
  }

  /** Key, value and packed header, each with a byte that says whether it is there. */
  private static Golden.Sample record(int level, String name, RawRecord record) {
    return Golden.Sample.binary(
        level,
        GROUP,
        name,
        frame(record),
        bytes -> {
          PackedReader in = new PackedReader(bytes);
          RawRecord read = new RawRecord(part(in), part(in), header(in));
          return frame(again(read));
        });
  }

  private static RawRecord again(RawRecord read) {
    RecordHeader header = RecordHeader.read(read.header());
    return switch (header.kind()) {
      case FENCE -> RecordHeader.fence(header.term(), RecordHeader.fenceNodeId(read.header()));
      case REVIVAL ->
          RecordHeader.revival(
              header.term(), header.seqNo(), RecordHeader.fenceNodeId(read.header()));
      case DATA -> OperationCodec.encode(OperationCodec.decode(read));
    };
  }

  private static byte[] frame(RawRecord record) {
    PackedWriter out = new PackedWriter(64);
    for (byte @Nullable [] part : new byte[][] {record.key(), record.value(), record.header()}) {
      out.writeByte(part == null ? 0 : 1);
      if (part != null) {
        out.writeBytes(part);
      }
    }
    return out.toByteArray();
  }

  private static byte @Nullable [] part(PackedReader in) {
    return in.readByte() == 0 ? null : in.readBytes();
  }

  private static byte[] header(PackedReader in) {
    assertThat(in.readByte()).isEqualTo(1);
    return in.readBytes();
  }

  static Stream<Golden.Sample> samples() {
    return Stream.of(
        record(1, "fence", RecordHeader.fence(300, "node-1")),
        record(2, "revival", RecordHeader.revival(300, 70_000, "node-1")),
        operation("operation", new Operation(3, 40, 1, 2, "id-ü", null, SOURCE, null)),
        operation(
            "operation-routed-of-origin",
            new Operation(3, 300, 5, 2, "1", "r", SOURCE, new Operation.Origin(70_000, 2))),
        record(
            2,
            "operation-of-origin-with-digest",
            OperationCodec.encode(
                new Operation(
                    3, 300, 5, 2, "1", null, SOURCE, new Operation.Origin(70_000, 2, 1L << 62)))),
        operation("operation-delete", new Operation(3, 41, 2, 0, "1", null, null, null)),
        Golden.Sample.binary(
            1,
            GROUP,
            "event-header",
            RecordHeader.data(3, 300, new byte[0], new byte[0]).header(),
            bytes -> {
              RecordHeader header = RecordHeader.read(bytes);
              return RecordHeader.data(header.term(), header.seqNo(), bytes, bytes).header();
            }),
        Golden.Sample.json(1, GROUP, "manifest", manifest()),
        Golden.Sample.json(1, GROUP, "stored-manifest", stored()),
        Golden.Sample.json(
            3, GROUP, "manifest", manifestForReadersFrom(new ReaderVersion(10, 6, 2))),
        Golden.Sample.json(
            3,
            GROUP,
            "stored-manifest",
            stored(manifestForReadersFrom(new ReaderVersion(10, 6, 2)))),
        Golden.Sample.json(1, GROUP, "stored-claim", StoredManifest.claim(SHARD, 4, null)),
        Golden.Sample.json(1, GROUP, "follower-lease", new FollowerLease(SHARD, "eu-books", 50)),
        Golden.Sample.json(2, GROUP, "replicated-seq-no", new ReplicatedSeqNo(SHARD, 3, 70_000)),
        Golden.Sample.json(
            1,
            GROUP,
            "merged-segment",
            new MergedSegment(SHARD, new SnapshotId(3, 1), "http://n1:9300", List.of(FILE))));
  }

  /** Readers ignore unknown fields of these, so any release may add fields. */
  static Stream<Golden.Sample> open() {
    return Stream.of(
        Golden.Sample.json(
            1,
            OPEN,
            "heartbeat",
            new NodeHeartbeat(
                "n1",
                "node-1",
                "i1",
                Set.of("primary"),
                "http://n1:9300",
                99,
                new NodeHeartbeat.Load(0.5, 1, 2, 3, 4, 1.5, 5, 6, 7, 8),
                Map.of("zone", "a"),
                3,
                FeatureLevels.OF_THIS_RELEASE)),
        Golden.Sample.json(
            1,
            OPEN,
            "progress",
            new CopyProgress(
                "c1", SHARD, "n1", true, "STARTED", 3, 7, 50, 49, 48, 1, 2, 3, 4, 5, 6, 99)));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aRecordIsWrittenAndReadAsItsLevelHasIt(Golden.Sample sample) throws IOException {
    Golden.matches(sample);
  }

  @ParameterizedTest
  @MethodSource("open")
  void whatMayGrowHoldsWhatItsLevelHas(Golden.Sample sample) throws IOException {
    Golden.isContained(sample);
  }

  @Test
  void eachKindOfRecordHasItsGoldenBytes() {
    Map<RecordHeader.Kind, String> records =
        Map.of(
            RecordHeader.Kind.FENCE,
            "fence",
            RecordHeader.Kind.DATA,
            "operation",
            RecordHeader.Kind.REVIVAL,
            "revival");
    assertThat(records).containsOnlyKeys(RecordHeader.Kind.values());
    records.forEach((kind, name) ->
        assertThat(samples().map(Golden.Sample::toString))
            .contains("level-" + kind.since() + "/records/" + name + ".hex"));
  }

  static Stream<Arguments> storedForms() {
    return Stream.of(
        Arguments.of(Manifest.class, "manifest", ""),
        Arguments.of(SegmentFile.class, "manifest", "/files/0"),
        Arguments.of(StoredManifest.class, "stored-manifest", ""),
        Arguments.of(StoredManifest.Place.class, "stored-manifest", "/places/_0.cfs"),
        Arguments.of(FollowerLease.class, "follower-lease", ""),
        Arguments.of(MergedSegment.class, "merged-segment", ""));
  }

  /**
   * A new field must be marked with its level; otherwise the golden bytes of the first level lack
   * it.
   */
  @ParameterizedTest
  @MethodSource("storedForms")
  void eachFieldIsOfTheLevelWithWhichItCame(Class<?> form, String name, String path)
      throws IOException {
    for (int level = FeatureLevels.FIRST; level <= FeatureLevels.NEWEST; level++) {
      Set<String> fields = new TreeSet<>();
      for (RecordComponent component : form.getRecordComponents()) {
        Since since = component.getAnnotation(Since.class);
        if ((since == null ? FeatureLevels.FIRST : since.value()) <= level) {
          fields.add(component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT));
        }
      }
      Optional<byte[]> golden = Golden.at(level, GROUP, name + ".json");
      if (golden.isPresent()) {
        assertThat(Json.mapper().readTree(golden.get()).at(path).propertyNames())
            .as("level %s", level)
            .containsExactlyInAnyOrderElementsOf(fields);
      } else {
        assertThat(Arrays.stream(form.getRecordComponents()).map(c -> c.getAnnotation(Since.class)))
            .as("a field of level %s needs golden bytes of that level", level)
            .noneMatch(isOf(level));
      }
    }
  }

  /** A manifest as processes of the levels 1 and 2 know it. */
  private record FormerManifest(
      ShardId shard,
      String nodeId,
      long term,
      long generation,
      long nextOffset,
      long nextSeqNo,
      long fenceTerm,
      long visibleSeqNo,
      List<SegmentFile> files,
      String segmentInfos,
      Map<String, String> commitData,
      long createdMillis) {}

  @Test
  void processesOfBothSidesOfAnUpgradeReadTheManifestsOfTheOther() throws IOException {
    byte[] former = Golden.at(1, GROUP, "manifest.json").orElseThrow();
    byte[] present = Golden.at(3, GROUP, "manifest.json").orElseThrow();

    assertThat(Json.read(present, FormerManifest.class))
        .isEqualTo(Json.read(former, FormerManifest.class));
    assertThat(Json.read(former, Manifest.class)).isEqualTo(manifest());
    assertThat(Json.read(present, Manifest.class).minReaderVersion())
        .isEqualTo(new ReaderVersion(10, 6, 2));
  }

  private static Predicate<@Nullable Since> isOf(int level) {
    return since -> since != null && since.value() == level;
  }

  @Test
  void noGoldenRecordIsLeftUntested() throws IOException {
    Golden.assertAllTested(GROUP, samples());
    Golden.assertAllTested(OPEN, open());
  }
}
