package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event of a history that the invariants see, in the order in which events happen. */
sealed interface Observation {

  /** An empty primary of the following index executes this plan. */
  record Planned(PrimaryActor primary, BootstrapWire.Plan plan) implements Observation {}

  /**
   * A primary of a follower reports that no copy can continue the shard.
   *
   * @param publishedSeqNo the newest published manifest holds all operations before it
   */
  record SaysLost(ShardId shard, long publishedSeqNo) implements Observation {}

  /** A primary opened its gate. */
  record GateOpened(ShardId shard, long term, String writer) implements Observation {}

  /** A record was appended to a partition of operations. */
  record Landed(ShardId shard, long offset) implements Observation {}

  /** A client got its answer. */
  record Answered(Write write) implements Observation {}

  /** A primary acks a client's write, which is accepted and applied. */
  record Acked(PrimaryActor primary, WriteItem item, WriteResult.Done done)
      implements Observation {}

  /** It was reported to a client that its write is visible on all of these copies. */
  record WaitedFor(Write write, List<SimCopy> copies) implements Observation {}

  /**
   * A copy answered a read of a session.
   *
   * @param found documents by id, including deletions
   * @param wrote the session's newest write of each document
   */
  record ReadUnderToken(SimCopy copy, Map<String, Operation> found, Map<String, Write> wrote)
      implements Observation {}

  /**
   * A copy that is opened before its files are copied answered a read.
   *
   * @param reportedSeqNo the highest seq_no that waiting clients had been told is visible when the
   *     read began
   */
  record ReadOfOpened(SimCopy copy, long reportedSeqNo) implements Observation {}

  /**
   * A started copy answered a search.
   *
   * @param reportedSeqNo the highest seq_no that waiting clients had been told is visible when the
   *     search began
   */
  record Searched(SimCopy copy, long reportedSeqNo) implements Observation {}

  /**
   * A copy has proven that it may start, for the first time or after it was opened again.
   *
   * @param admitted whether a primary admitted it
   */
  record StartProven(SimCopy copy, boolean admitted) implements Observation {}

  /**
   * A segment replica reports that it is started.
   *
   * @param reportedSeqNo the highest seq_no that waiting clients had been told is visible when the
   *     replica checked the newest manifest; -1 if no other copy serves
   */
  record SaysStarted(SimCopy copy, Manifest shown, SimDisk disk, long reportedSeqNo)
      implements Observation {}

  /** A primary of a strongly consistent index returns a version as replicated. */
  record CalledReplicated(PrimaryActor primary, Version version) implements Observation {}

  /** A primary treats everything up to this seq_no as replicated. */
  record CalledReplicatedUpTo(PrimaryActor primary, long seqNo) implements Observation {}

  /**
   * A primary returned this position to a job of which no query has failed since it began under
   * this primary.
   */
  record JobPassed(PrimaryActor primary, RereplicationPosition next) implements Observation {}

  /** A primary acked the write of a record by a job. */
  record JobWrote(ShardId shard, WriteItem item, WriteResult.Done done) implements Observation {}

  /**
   * A primary returned a position to a job that writes, and no query of the job has failed since it
   * began in the shard.
   *
   * @param nextSeqNo the first seq_no that the job has not passed
   */
  record JobWroteUpTo(ShardId shard, long nextSeqNo) implements Observation {}

  /** A client got the answer to a strong get that began then. */
  record StrongRead(ShardId shard, long begunMicros, Version version) implements Observation {}

  /** A log that lost its end begins again with the operations before that seq_no. */
  record Revived(ShardId shard, long nextSeqNo) implements Observation {}

  /** A record was appended to a log of operations that had lost its tail while writers ran. */
  record LandedOnAGap(ShardId shard, long term, long seqNo) implements Observation {}

  /**
   * The cluster log accepted an event.
   *
   * @param level of the cluster after it
   */
  record EventApplied(ClusterEvent event, int level) implements Observation {}

  /** A record was appended to the cluster log. */
  record ClusterLogged(ClusterState before, ClusterState now) implements Observation {}

  /** The cluster log accepted that a member leaves. */
  record Removed(NodeInfo member, String reason) implements Observation {}

  /** A leader decides to remove a member because of its silence. */
  record JudgedSilent(String judge, String nodeId) implements Observation {}

  /** The reader of a copy accepted this operation as the next one. */
  record Taken(SimCopy copy, long offset, Operation operation) implements Observation {}

  /** A copy shows a new point in time to searches. */
  record Shown(SimCopy copy) implements Observation {}

  /** A manifest is about to be appended, with the folder that it describes. */
  record Published(Manifest manifest, SimDisk disk) implements Observation {}

  /** A primary reports that all files of a manifest are in the segment store. */
  record Stored(Manifest manifest) implements Observation {}

  /** A replica swapped to a manifest. */
  record Installed(SimCopy copy, Manifest manifest, SimDisk disk) implements Observation {}

  /**
   * A log was truncated.
   *
   * @param known the state of the cluster that the primary knew
   * @param askedMicros when the primary began to ask the other copies for their commits
   */
  record Truncated(ShardId shard, long offset, ClusterState known, long askedMicros)
      implements Observation {}

  /**
   * The copies of a shard changed.
   *
   * @param before null for the first routing
   * @param primaryServed whether the former primary was started, on a node that is still a member
   */
  record Routed(@Nullable ShardRouting before, ShardRouting now, boolean primaryServed)
      implements Observation {}

  /**
   * A client was told that each coordinator has applied its change.
   *
   * @param version that contains the change
   * @param state of the coordinator that acknowledged it
   */
  record Acknowledged(long version, ClusterState state) implements Observation {}

  /** A coordinator serves a request in its state. */
  record Requested(String process, ClusterState state) implements Observation {}

  /** A process has read the cluster log up to this state. */
  record ClusterRead(ClusterState state) implements Observation {}

  /** All faults are healed and no event is pending. */
  record Quiet() implements Observation {}
}
