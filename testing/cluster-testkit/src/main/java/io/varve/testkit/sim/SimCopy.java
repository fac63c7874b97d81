package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.shard.retention.LogNeeds;
import java.util.Map;

/** A copy of a shard in one incarnation of a process. */
interface SimCopy {

  String copyId();

  ShardId shard();

  SimNode node();

  /** Whether it is open in a process that is up. */
  boolean alive();

  /** All operations up to this seq_no are visible to searches; -1 for none. */
  long visibleSeqNo();

  /**
   * The seq_no that is reported to clients which wait for a refresh; never more than what is
   * visible.
   */
  default long reportedSeqNo() {
    return visibleSeqNo();
  }

  /** The operations that searches see, by document id, including deletions. */
  Map<String, Operation> visible();

  SimDisk disk();

  /** The first offset that a restart would replay, or {@link LogNeeds#UNKNOWN}. */
  long durableOffset();

  void close();
}
