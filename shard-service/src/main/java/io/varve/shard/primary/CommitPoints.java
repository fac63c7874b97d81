package io.varve.shard.primary;

import io.varve.engine.Checkpoint;
import io.varve.host.apply.AppliedCheckpoint;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Captures the local checkpoint of a shard together with the user data of a commit there.
 * Checkpoints never decrease.
 */
final class CommitPoints {

  /** A place in the log, and the data that belong to exactly this place. */
  record CommitPoint(Checkpoint checkpoint, Map<String, String> data) {}

  private final AppliedCheckpoint applied;
  private final long term;
  private final LongFunction<Map<String, String>> dataUpTo;

  /** {@code dataUpTo} is asked with rising seq_nos. */
  CommitPoints(AppliedCheckpoint applied, long term, LongFunction<Map<String, String>> dataUpTo) {
    this.applied = applied;
    this.term = term;
    this.dataUpTo = dataUpTo;
  }

  /** Must be called before the flush that makes it true: too low is safe, too high loses data. */
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

  /** The seq_no of the first operation that the next point lacks. */
  long nextSeqNo() {
    return applied.position().nextSeqNo();
  }
}
