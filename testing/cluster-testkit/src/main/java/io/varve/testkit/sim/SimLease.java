package io.varve.testkit.sim;

import io.varve.ccr.LeaseSchedule;
import io.varve.ccr.LeaseState;
import io.varve.cluster.IndexMetadata;
import io.varve.events.FollowerLease;
import io.varve.events.ShardId;
import io.varve.rpc.LeaseRenewal;

/**
 * A puller's lease on its leader's operations: production's {@link LeaseState} and {@link
 * LeaseSchedule}, in the order of production's {@code LeaseKeeper} and {@code RecordedLease}. The
 * leader's cluster is this one or {@link RemoteLeader}.
 *
 * <pre>
 *   1 ms of virtual time = {@value #SPEED} ms of the clock of a lease
 * </pre>
 */
final class SimLease {

  static final int SPEED = 75;

  private static final int SHARD = 0;
  private static final String FOLLOWING_CLUSTER = "west";

  /** As production's {@code LeaseKeeper}. */
  private static final long RENEW_MILLIS = 30_000;

  private static final long RETRY_MILLIS = 5_000;

  private final World world;
  private final SimNode node;
  private final ShardId follower;
  private final LeaseState state;
  private long requestedMillis;

  SimLease(World world, SimNode node, ShardId leader, ShardId follower) {
    this.world = world;
    this.node = node;
    this.follower = follower;
    this.state = new LeaseState(leader.indexUuid(), holder(follower));
  }

  static String holder(ShardId follower) {
    return FollowerLease.holder(FOLLOWING_CLUSTER, follower.indexUuid());
  }

  private long nowMillis() {
    return world.queue().nowMillis() * SPEED;
  }

  /**
   * Renews the lease if that is due.
   *
   * @param schedule of the reading that renews
   * @param then called with whether it was due, once reading may continue
   */
  void renew(LeaseSchedule schedule, long fromOffset, Renewed then) {
    boolean retained = state.isRetained(SHARD, fromOffset);
    if (!schedule.isDue(nowMillis(), retained ? RENEW_MILLIS : RETRY_MILLIS)) {
      then.renewed(false);
      return;
    }
    schedule.renewed(nowMillis());
    take(fromOffset, () -> then.renewed(true));
  }

  /** Receives whether a renewal was due. */
  @FunctionalInterface
  interface Renewed {
    void renewed(boolean wasDue);
  }

  /** Takes the lease at that offset; {@code then} runs once reading may continue. */
  void take(long fromOffset, Runnable then) {
    LeaseState.Renewal needed = state.needs(SHARD, fromOffset, nowMillis());
    if (state.isActive() && world.mutated(Mutation.TAKE_THE_LEASE_AT_THE_MANIFEST)) {
      boolean due = nowMillis() - requestedMillis >= RENEW_MILLIS / 2;
      needed = due ? LeaseState.Renewal.DUE : LeaseState.Renewal.NOT_DUE;
    }
    switch (needed) {
      case AWAITED -> request(true, then);
      case DUE -> {
        request(true, () -> {});
        then.run();
      }
      case NOT_DUE -> then.run();
    }
  }

  boolean isRetained(long fromOffset) {
    return state.isRetained(SHARD, fromOffset);
  }

  String refusal() {
    return state.refusal();
  }

  /**
   * @param addsAgain whether a lease that is missing is requested once more
   */
  private void request(boolean addsAgain, Runnable then) {
    if (!state.isActive() && !follows()) {
      then.run();
      return;
    }
    requestedMillis = nowMillis();
    LeaseRenewal request = state.request(requestedMillis);
    world.leaseRequests(
        node,
        request,
        answer -> {
          if (!state.answered(request, answer) && addsAgain && follows()) {
            request(false, then);
          } else {
            then.run();
          }
        },
        then);
  }

  private boolean follows() {
    return node.state().index(follower.indexUuid()).map(IndexMetadata::follow).isPresent();
  }
}
