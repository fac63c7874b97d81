package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.BegunLog.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the table of {@link BegunLog}. */
class BegunLogTest {

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog logs = new InMemoryMessageLog(threads, () -> 0);
  private final PartitionLog log = logs.open("operations", 0);

  @AfterEach
  void close() {
    logs.close();
    threads.shutdownNow();
  }

  private void append(RawRecord record) throws Exception {
    var _ = Appends.await(log, record);
  }

  private static RawRecord operation(long term, long seqNo) {
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    return OperationCodec.encode(new Operation(term, seqNo, 1, 1, "d" + seqNo, null, source, null));
  }

  private Outcome decide(long nextOffset, long nextSeqNo) throws Exception {
    return BegunLog.decide(log, nextOffset, nextSeqNo, log.endOffset(), false);
  }

  @Test
  void aLogThatLacksWhatWasCopiedIsTruncatedAlsoIfAnEarlierPrimaryFailedToDoSo() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(RecordHeader.fence(2, "n1"));

    assertThat(decide(0, 40)).isEqualTo(Outcome.TRUNCATE);
    assertThat(decide(1, 40)).isEqualTo(Outcome.TRUNCATE);
  }

  @Test
  void aCopyIsDiscardedIfTheLogHasTheFirstOperation() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(operation(1, 0));
    append(RecordHeader.fence(2, "n2"));

    assertThat(decide(0, 40)).isEqualTo(Outcome.DISCARD);
    assertThat(decide(2, 1)).as("recovered from the log").isEqualTo(Outcome.KEEP);
  }

  /** Copies may have started with what it published. */
  @Test
  void aCopyIsDiscardedIfAnotherPrimaryPublishedBeforeItsFirstOperation() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(RecordHeader.fence(2, "n2"));

    assertThat(BegunLog.decide(log, 0, 40, 1, true)).isEqualTo(Outcome.DISCARD);
    assertThat(BegunLog.decide(log, 1, 40, 1, true))
        .as("published by it")
        .isEqualTo(Outcome.TRUNCATE);
    assertThat(BegunLog.decide(log, 0, 0, 1, true)).as("empty").isEqualTo(Outcome.KEEP);
  }

  @Test
  void aCopyIsDiscardedIfAnotherPrimaryTruncatedTheLogBehindItsFence() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(operation(1, 30));
    append(RecordHeader.fence(2, "n2"));
    log.truncateBefore(1);

    assertThat(decide(0, 40)).isEqualTo(Outcome.DISCARD);
    assertThat(decide(1, 30)).as("that primary").isEqualTo(Outcome.KEEP);
  }

  @Test
  void aFolderWithoutOperationsContradictsNothing() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(operation(1, 0));

    assertThat(decide(0, 0)).isEqualTo(Outcome.KEEP);
  }
}
