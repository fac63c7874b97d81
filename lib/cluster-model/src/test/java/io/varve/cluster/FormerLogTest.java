package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.rpc.ForkPlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests whether a former leader's log can be replayed up to the fork. */
class FormerLogTest {

  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
  private PartitionLog partition;

  /** Offset 0 is the fence of term 1, offsets 1 to 3 are its operations 0 to 2. */
  @BeforeEach
  void aLog() throws Exception {
    log.createTopic(new TopicSpec("ops", 1, 1, Map.of()));
    partition = log.open("ops", 0);
    var _ = Appends.await(partition, RecordHeader.fence(1, "n1"));
    for (int seqNo = 0; seqNo < 3; seqNo++) {
      var _ = Appends.await(partition, operation(seqNo));
    }
  }

  private static RawRecord operation(long seqNo) {
    return RecordHeader.data(
        1, seqNo, "id".getBytes(StandardCharsets.UTF_8), "{}".getBytes(StandardCharsets.UTF_8));
  }

  private long digest(long offset) throws Exception {
    List<StoredRecord> read = new ArrayList<>();
    partition.read(offset, offset + 1, read::add);
    return RecordDigest.of(read.getFirst());
  }

  private static ForkPlace fork(long offset, long seqNo, Long digest) {
    return new ForkPlace(offset, offset < 0 ? 0 : 1, seqNo, digest, 9, 2);
  }

  private static String incomplete(FormerLog.Check check) {
    assertThat(check).isInstanceOf(FormerLog.Check.Incomplete.class);
    return ((FormerLog.Check.Incomplete) check).reason();
  }

  private static String diverged(FormerLog.Check check) {
    assertThat(check).isInstanceOf(FormerLog.Check.Diverged.class);
    return ((FormerLog.Check.Diverged) check).reason();
  }

  @Test
  void aWholeLogWithTheRecordOfTheForkCanBeReplayed() throws Exception {
    FormerLog.Check whole = new FormerLog.Check.Whole();
    assertThat(FormerLog.check(partition, fork(2, 1, digest(2)))).isEqualTo(whole);
    assertThat(FormerLog.check(partition, fork(2, 1, null))).isEqualTo(whole);
    assertThat(FormerLog.check(partition, fork(-1, -1, null))).isEqualTo(whole);
  }

  @Test
  void aLogWithoutItsFirstRecordsCannotBeReplayed() throws Exception {
    partition.truncateBefore(1);

    assertThat(incomplete(FormerLog.check(partition, fork(2, 1, digest(2)))))
        .isEqualTo("its log begins at offset 1");
    incomplete(FormerLog.check(partition, fork(-1, -1, null)));
    partition.truncateBefore(3);
    assertThat(incomplete(FormerLog.check(partition, fork(2, 1, null))))
        .contains("no longer has the record at offset 2");
  }

  @Test
  void aLogOfARestoredIndexCannotBeReplayed() throws Exception {
    log.createTopic(new TopicSpec("restored", 1, 1, Map.of()));
    PartitionLog restored = log.open("restored", 0);
    var _ = Appends.await(restored, RecordHeader.fence(1, "n1"));
    var _ = Appends.await(restored, operation(5));

    assertThat(incomplete(FormerLog.check(restored, fork(1, 5, null))))
        .isEqualTo("its log begins with seq_no 5");
  }

  @Test
  void anotherRecordAtTheForkOrALostTailIsAnotherHistory() throws Exception {
    assertThat(diverged(FormerLog.check(partition, fork(2, 1, digest(2) + 1))))
        .contains("another digest");
    diverged(FormerLog.check(partition, fork(2, 2, null)));
    assertThat(diverged(FormerLog.check(partition, fork(7, 6, null))))
        .contains("the log ends at offset 4");
  }

  @Test
  void operationsAfterTheForkThatOnlySegmentsHaveAreLost() throws Exception {
    ForkPlace fork = fork(1, 0, null);
    partition.truncateBefore(2);
    assertThat(FormerLog.lostAfterFork(partition, fork, -1)).isEmpty();

    partition.truncateBefore(3);
    assertThat(FormerLog.lostAfterFork(partition, fork, -1))
        .hasValueSatisfying(reason -> assertThat(reason).contains("the operations from 1 on"));
    assertThat(FormerLog.lostAfterFork(partition, fork, 1)).as("in quarantine already").isEmpty();

    partition.truncateBefore(4);
    assertThat(FormerLog.lostAfterFork(partition, fork, -1))
        .hasValueSatisfying(reason -> assertThat(reason).contains("no operation"));
  }
}
