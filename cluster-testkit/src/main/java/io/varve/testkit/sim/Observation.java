package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import java.util.List;

/** What the judges get to see of a history, in the order in which it happens. */
sealed interface Observation {

  /** A primary opened its gate. */
  record GateOpened(ShardId shard, long term, String writer) implements Observation {}

  /** A record landed in a partition of operations. */
  record Landed(ShardId shard, long offset) implements Observation {}

  /** A client got its answer. */
  record Answered(Write write) implements Observation {}

  /** A client was told that its write is visible on all of these copies. */
  record WaitedFor(Write write, List<SimCopy> copies) implements Observation {}

  /** A copy's reader decided that this operation is the next one. */
  record Taken(SimCopy copy, long offset, Operation operation) implements Observation {}

  /** A copy shows its searches a new point in time. */
  record Shown(SimCopy copy) implements Observation {}

  /** A manifest is about to be appended, with the folder that it speaks of. */
  record Published(Manifest manifest, TwinDisk disk) implements Observation {}

  /** A replica swapped to a manifest. */
  record Installed(SimCopy copy, Manifest manifest, TwinDisk disk) implements Observation {}

  /** The leading coordinator computed the global checkpoint. */
  record CheckpointComputed(ShardId shard, long leaderTerm, long seqNo) implements Observation {}

  /** A log was truncated. */
  record Truncated(ShardId shard, long offset) implements Observation {}

  /** All is healed, and nothing more is to come. */
  record Quiet() implements Observation {}
}
