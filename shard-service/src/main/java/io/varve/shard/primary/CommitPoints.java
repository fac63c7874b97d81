package io.varve.shard.primary;

import io.varve.engine.Checkpoint;
import io.varve.host.apply.AppliedCheckpoint;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Captures the local checkpoint of a shard together with the user data for a commit at that
 * checkpoint. Checkpoints never decrease.
 */
final class CommitPoints {

  /** A checkpoint, and the user data that belong to exactly this checkpoint. */
  record CommitPoint(Checkpoint checkpoint, Map<String, String> data) {}

  private final AppliedCheckpoint applied;
  private final long term;
  private final LongFunction<Map<String, String>> dataUpTo;

  /** {@code dataUpTo} is called with increasing seq_nos. */
  CommitPoints(AppliedCheckpoint applied, long term, LongFunction<Map<String, String>> dataUpTo) {
    this.applied = applied;
    this.term = term;
    this.dataUpTo = dataUpTo;
  }

  /**
   * Must be called before the flush: a checkpoint that is too low is safe, one that is too high
   * loses data.
   */
  synchronized CommitPoint capture() {
    AppliedCheckpoint.Position position = applied.position();
    long visibleSeqNo = position.nextSeqNo() - 1;
    return new CommitPoint(
        new Checkpoint(
            position.nextOffset(),
            position.nextSeqNo(),
            term,
            visibleSeqNo,
            position.lastRecordMillis()),
        dataUpTo.apply(visibleSeqNo));
  }

  /** The seq_no of the first operation that is not included in the next commit point. */
  long nextSeqNo() {
    return applied.position().nextSeqNo();
  }
}
