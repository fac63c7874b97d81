package io.varve.testkit.sim;

import io.varve.engine.version.DocumentState;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.reading.HeldVersions;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ForkPlace;
import io.varve.shard.retention.LogNeeds;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   * The seq_no that is reported to clients that wait for a refresh; never higher than the visible
   * one.
   */
  default long reportedSeqNo() {
    return visibleSeqNo();
  }

  /** The operations that searches see, by document id, including deletions. */
  Map<String, Operation> visible();

  /** The seq_no up to which it holds everything that a realtime get or a primary may ask for. */
  OffsetWatcher held();

  /** The version of a document that it holds. */
  @Nullable DocumentState heldState(String id);

  /** The term of its newest operation. */
  long heldTerm();

  /** The seq_no up to which it knows operations that it may not hold yet. */
  long readSeqNo();

  /** Whether it is started, according to its own state. */
  boolean saysStarted();

  /**
   * Whether it has determined what it must show before it is reported as started, or is about to.
   */
  default boolean provesItsStart() {
    return saysStarted();
  }

  /**
   * Calls {@code report} once the copy, which was reported as started before, may be reported
   * again.
   */
  default void whenReadyAgain(Runnable report) {
    report.run();
  }

  /**
   * Whether it answers reads once it is started; false if it started without operations that others
   * had shown.
   */
  default boolean answersReads() {
    return true;
  }

  /**
   * The position at which a promoted shard stops following its former leader; null unless it must
   * be recorded.
   */
  default @Nullable ForkPlace fork() {
    return null;
  }

  /** Its answer to a primary; null until it is started, according to its own state. */
  default HeldVersions.@Nullable Holder holder() {
    return saysStarted()
        ? new HeldVersions.Holder(
            copyId(), node().process().toString(), this::heldTerm, held()::current, this::heldState)
        : null;
  }

  SimDisk disk();

  /** The first offset that a restart would replay, or {@link LogNeeds#UNKNOWN}. */
  long durableOffset();

  void close();
}
