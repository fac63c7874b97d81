package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.FencedTail;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ReplicateWire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The marks of batches of a leader's log that is read over one connection, without a pause. */
class LeaderReaderTest {

  private final PartitionLog log = new InMemoryMessageLog(Runnable::run, () -> 0).open("leader", 0);
  private final PullProgress progress = new PullProgress(new ShardId("follower", 0), 0);
  private final List<Arrived> arrived = new ArrayList<>();

  @BeforeEach
  void anOperation() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(0);
  }

  private void operation(long seqNo) throws Exception {
    append(RecordHeader.data(1, seqNo, new byte[] {1}, new byte[] {1}));
  }

  private void append(RawRecord record) throws Exception {
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            // The reader receives it.
          }

          @Override
          public void unknown(String reason) {
            throw new AssertionError(reason);
          }
        });
  }

  private FencedTail follow() throws Exception {
    LeaderReader reader = new LeaderReader(() -> Instant.EPOCH, progress, arrived::add);
    return FencedTail.followShared(log, 0, new TermFence(), reader);
  }

  /** Whether the last batch may come from a log whose records the reader has skipped. */
  private boolean isMarked() {
    return ((Arrived.Records) arrived.getLast()).afterInterruption();
  }

  @Test
  void anOperationWithoutItsPredecessorMarksItsBatch() throws Exception {
    try (FencedTail _ = follow()) {
      assertThat(isMarked()).isFalse();
      operation(2);
      assertThat(isMarked()).isTrue();
      operation(1);
      assertThat(isMarked()).isFalse();
    }
  }

  /** The follower is current as of that moment once it holds what was read. */
  @Test
  void theEndOfTheLogThatComesWithABatchIsAProof() throws Exception {
    LeaderReader reader =
        new LeaderReader(() -> Instant.ofEpochMilli(5_000), progress, arrived::add);
    progress.cursor(new ReplicateWire.Cursor(4, 1, 3, 2, 2, 0, null));
    reader.logEnd(8, 20_000_001);
    assertThat(progress.stats(5_000).lagMillis()).isEqualTo(5_000);

    progress.heldTo(8);
    assertThat(progress.stats(5_000).lagMillis()).as("21 ms").isEqualTo(21);
  }

  @Test
  void aGapThatTheNextReaderFindsTooIsNotNew() throws Exception {
    try (FencedTail _ = follow()) {
      operation(2);
    }
    try (FencedTail _ = follow()) {
      assertThat(isMarked()).as("both readers agree").isFalse();
      operation(3);
      assertThat(isMarked()).as("another record").isTrue();
    }
    progress.held(new ReplicateWire.Answer(1, 1, 0, 1), 1);
    try (FencedTail _ = follow()) {
      assertThat(isMarked()).as("the follower has received operations since then").isTrue();
    }
  }
}
