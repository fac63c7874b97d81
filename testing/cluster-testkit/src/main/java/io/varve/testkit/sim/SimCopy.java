package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.shard.retention.LogNeeds;
import java.util.Map;

/** One copy of a shard, as it lives in one incarnation of a process. */
interface SimCopy {

  String copyId();

  ShardId shard();

  SimNode node();

  /** Whether it is open in a process that is up. */
  boolean alive();

  /** All operations up to here are visible to searches; -1 for none. */
  long visibleSeqNo();

  /** Up to where those who wait for a refresh are told that it shows; never more than it does. */
  default long toldSeqNo() {
    return visibleSeqNo();
  }

  /** What searches see, deletions included. */
  Map<String, Operation> visible();

  TwinDisk disk();

  /** The first offset that it would replay after a restart, or {@link LogNeeds#UNKNOWN}. */
  long durableOffset();

  void close();
}
