package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.TermFence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Snapshots in the cluster log, and logs that begin with one. */
class ClusterSnapshotTest {

  private static final JsonMapper CANONICAL =
      Json.mapper().rebuild().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  /** Written by another implementation of gzip. */
  private static final String PACKED =
      "H4sIAAAAAAACA12OzWrEMAyE32XOvmx7KPhVSjFaezaY+ifYykJZ9t2rpDSUnsR8MyPpgVsfVRT+"
          + "4jBVlPAPxLJN5QhNqmmsEj+Z4E6+bTkZP4bDnWPm3uDfHAolWcBCFf711K0nhqMTL9bY5bRDT4fc"
          + "Uo6/Yt032YWmYVI1t2U3INa7wnwd0mb+Z++cdS32+5EuXCR+/Rix17VPuRb+0c0WHEUDN4pug6Hw"
          + "zgL/YiixUJnC+dk7Fuvg4/kNx+qMhy0BAAA=";

  private final List<StoredRecord> log = new ArrayList<>();
  private final ClusterFold whole = new ClusterFold();
  private long term;

  private TermFence.Verdict append(RawRecord record) {
    StoredRecord stored = new StoredRecord(log.size(), 0, record);
    log.add(stored);
    return whole.add(stored);
  }

  private static RawRecord record(long term, long seqNo, ClusterEvent event) {
    return RecordHeader.data(
        term, seqNo, event.entity().getBytes(StandardCharsets.UTF_8), Json.write(event));
  }

  private TermFence.Verdict append(ClusterEvent event) {
    return append(record(term, whole.fence().nextSeqNo(), event));
  }

  private void lead(String nodeId) {
    append(RecordHeader.fence(++term, nodeId));
  }

  private void appendSnapshot(int characters) {
    ClusterSnapshot.of(whole.state(), whole.deletedIndicesOldestFirst())
        .parts(characters)
        .forEach(part -> assertThat(append(part)).isEqualTo(TermFence.Verdict.ACCEPTED));
  }

  private ClusterFold readFrom(long offset) {
    ClusterFold fold = new ClusterFold();
    log.stream().filter(stored -> stored.offset() >= offset).forEach(fold::add);
    return fold;
  }

  private static String json(ClusterState state) {
    return new String(CANONICAL.writeValueAsBytes(state), StandardCharsets.UTF_8);
  }

  private void assertKnowsTheSame(ClusterFold fold) {
    assertThat(fold.isLoading()).isFalse();
    assertThat(fold.state()).isEqualTo(whole.state());
    assertThat(json(fold.state())).isEqualTo(json(whole.state()));
    assertThat(fold.deletedIndicesOldestFirst()).isEqualTo(whole.deletedIndicesOldestFirst());
    assertThat(fold.fence().term()).isEqualTo(whole.fence().term());
    assertThat(fold.fence().nextSeqNo()).isEqualTo(whole.fence().nextSeqNo());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aReaderOfTheSnapshotReachesTheStateOfAReaderOfTheWholeLog(long seed) {
    Random random = new Random(seed);
    RandomEvents events = new RandomEvents(seed);
    Set<Class<?>> kinds = new HashSet<>();
    lead("c1");
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    for (int i = 0; i < 1_500; i++) {
      switch (random.nextInt(60)) {
        case 0 -> lead("c" + random.nextInt(3));
        case 1 -> append(record(Math.max(1, term - 1), whole.fence().nextSeqNo(), zombie()));
        case 2 -> {
          long from = log.size();
          appendSnapshot(1_000 + random.nextInt(50_000));
          assertKnowsTheSame(readFrom(from));
        }
        default -> {
          ClusterEvent event = events.next(whole.state());
          kinds.add(event.getClass());
          append(event);
        }
      }
    }
    assertThat(whole.removableBefore()).as("seed %s", seed).isPositive();
    assertThat(whole.removableBefore()).isLessThan(log.size());
    assertKnowsTheSame(readFrom(whole.removableBefore()));
    Set<Class<?>> all = new HashSet<>(List.of(ClusterEvent.class.getPermittedSubclasses()));
    all.removeAll(List.of(ClusterEvent.ClusterFormed.class, ClusterEvent.SnapshotPart.class));
    assertThat(kinds).as("seed %s", seed).isEqualTo(all);
  }

  private static ClusterEvent zombie() {
    return new ClusterEvent.ClusterSettingsChanged(Map.of("zombie", "1"), Map.of());
  }

  @Test
  void theLogIsNeededFromTheSnapshotBeforeTheNewest() {
    lead("c1");
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    assertThat(whole.removableBefore()).isZero();
    long first = log.size();
    appendSnapshot(100);
    assertThat(whole.removableBefore()).isZero();
    append(zombie());
    appendSnapshot(100);
    assertThat(whole.removableBefore()).isEqualTo(first);
    assertThat(whole.schedule().records()).isZero();
  }

  @Test
  void theSnapshotOfALeaderThatWasReplacedIsRejected() {
    lead("c1");
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    appendSnapshot(100);
    List<ClusterEvent.SnapshotPart> parts = ClusterSnapshot.of(whole.state(), List.of()).parts(100);
    long staleTerm = term;
    long seqNo = whole.fence().nextSeqNo();
    lead("c2");
    append(zombie());
    ClusterState before = whole.state();
    for (ClusterEvent.SnapshotPart part : parts) {
      assertThat(append(record(staleTerm, seqNo++, part))).isEqualTo(TermFence.Verdict.STALE_TERM);
    }
    assertThat(whole.state()).isEqualTo(before);
    assertThat(whole.removableBefore()).isZero();
  }

  @Test
  void aSnapshotInterruptedByAChangeOfLeadersIsIgnored() {
    lead("c1");
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    appendSnapshot(100);
    List<ClusterEvent.SnapshotPart> parts = ClusterSnapshot.of(whole.state(), List.of()).parts(100);
    assertThat(parts).hasSizeGreaterThan(1);
    append(parts.getFirst());
    lead("c2");
    parts.subList(1, parts.size()).forEach(this::append);

    assertThat(whole.removableBefore()).isZero();
    assertKnowsTheSame(readFrom(0));
  }

  @Test
  void aLogThatWasCutByHandIsRefused() {
    lead("c1");
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    appendSnapshot(100);

    assertThatThrownBy(() -> readFrom(1))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("begins at offset 1 and not with a snapshot");
    assertThatThrownBy(() -> readFrom(3)).isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void aSnapshotOfAnUnknownFormatIsMalformed() {
    String json =
        new String(
                Json.write(ClusterSnapshot.of(ClusterState.EMPTY, List.of())),
                StandardCharsets.UTF_8)
            .replace("\"format\":1", "\"format\":2");
    assertThatThrownBy(
            () -> ClusterSnapshot.read(List.of(new ClusterEvent.SnapshotPart(0, 1, json))))
        .isInstanceOf(MalformedRecordException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aLargeSnapshotIsPackedAndReadAsThePlainOne(long seed) {
    RandomEvents events = new RandomEvents(seed);
    lead("c1");
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    for (int i = 0; i < 300; i++) {
      append(events.next(whole.state()));
    }
    ClusterSnapshot snapshot = ClusterSnapshot.of(whole.state(), List.of("gone"));
    List<ClusterEvent.SnapshotPart> plain = snapshot.parts(1_000, Integer.MAX_VALUE);
    List<ClusterEvent.SnapshotPart> packed = snapshot.parts(1_000, 0);

    assertThat(packed).hasSizeLessThan(plain.size() / 2);
    assertThat(ClusterSnapshot.read(packed)).isEqualTo(snapshot);
    assertThat(ClusterSnapshot.read(plain)).isEqualTo(snapshot);
  }

  @Test
  void aPackedSnapshotOfAnyWriterIsRead() {
    ClusterSnapshot read =
        ClusterSnapshot.read(List.of(new ClusterEvent.SnapshotPart(0, 1, PACKED)));

    assertThat(read.state().clusterName()).isEqualTo("packed");
    assertThat(read.state().version()).isEqualTo(7);
    assertThat(read.state().persistentSettings()).isEqualTo(Map.of("a", "b"));
    assertThat(read.deletedIndices()).containsExactly("gone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "H4sI", "no base64", "bm8gZ3ppcA=="})
  void aDamagedSnapshotIsMalformed(String text) {
    assertThatThrownBy(
            () -> ClusterSnapshot.read(List.of(new ClusterEvent.SnapshotPart(0, 1, text))))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void aPartNeverEndsWithinACharacter() {
    ClusterState state =
        ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("𝄞".repeat(50), "uuid"));
    ClusterSnapshot snapshot = ClusterSnapshot.of(state, List.of());
    for (int characters = 1; characters < 20; characters++) {
      List<ClusterEvent.SnapshotPart> parts = new ArrayList<>();
      for (ClusterEvent.SnapshotPart part : snapshot.parts(characters)) {
        parts.add((ClusterEvent.SnapshotPart) Json.read(Json.write(part), ClusterEvent.class));
      }
      assertThat(ClusterSnapshot.read(parts)).isEqualTo(snapshot);
    }
  }

  @Test
  void theDeletionsThatAreRememberedHaveALimit() {
    DeletedIndexUuids deleted = new DeletedIndexUuids();
    for (int i = 0; i <= DeletedIndexUuids.MAX; i++) {
      deleted.add(new ClusterEvent.IndexDeleted("u" + i));
    }
    assertThat(deleted.asSet()).hasSize(DeletedIndexUuids.MAX).doesNotContain("u0");
    assertThat(deleted.oldestFirst().getFirst()).isEqualTo("u1");
    assertThat(new DeletedIndexUuids(deleted.oldestFirst()).asSet()).isEqualTo(deleted.asSet());
  }

  @Test
  void aSnapshotIsDueByRecordsOrBytesButNotBeforeItsOwnSizeWasWritten() {
    SnapshotSchedule.Limits limits = new SnapshotSchedule.Limits(3, 1_000);
    assertThat(new SnapshotSchedule(2, 999, 0).due(limits)).isFalse();
    assertThat(new SnapshotSchedule(3, 10, 0).due(limits)).isTrue();
    assertThat(new SnapshotSchedule(1, 1_000, 0).due(limits)).isTrue();
    assertThat(new SnapshotSchedule(500, 5_000, 6_000).due(limits)).isFalse();
    assertThat(new SnapshotSchedule(500, 6_000, 6_000).due(limits)).isTrue();
    assertThat(new SnapshotSchedule(500, 6_000, 1).appended(5))
        .isEqualTo(new SnapshotSchedule(501, 6_005, 1));
    assertThat(new SnapshotSchedule(500, 6_000, 1).written(7))
        .isEqualTo(new SnapshotSchedule(0, 0, 7));
  }
}
