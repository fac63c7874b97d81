package io.varve.coordinator.rest.consistency;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.events.ShardId;
import io.varve.rpc.ReadDemand;
import java.util.concurrent.TimeUnit;

/**
 * One read under a promise, and the time that it has.
 *
 * @param replicaWaitMillis how long it waits at a replica before it goes to the primary
 */
public record Reading(
    ReadPromise promise, long beganNanos, long timeoutMillis, long replicaWaitMillis) {

  /** Whatever copies show. */
  public static final Reading ANY = new Reading(ReadPromise.NONE, 0, 0, 0);

  /** Begins now, with the times that the request and the cluster say. */
  public static Reading begin(ReadPromise promise, ClusterState state) {
    if (promise.isNone()) {
      return ANY;
    }
    long timeout =
        promise.timeoutMillis() < 0
            ? ClusterSettings.millis(state, ClusterSettings.READ_TIMEOUT)
            : promise.timeoutMillis();
    return new Reading(
        promise,
        System.nanoTime(),
        timeout,
        ClusterSettings.millis(state, ClusterSettings.REPLICA_WAIT));
  }

  /** What a copy of the shard must show, without a time to wait. */
  public ReadDemand demand(ShardId shard) {
    return promise.isNone()
        ? ReadDemand.NONE
        : new ReadDemand(promise.session().seqNo(shard), promise.maxStalenessMillis(), 0);
  }

  long leftMillis() {
    long spent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    return Math.max(0, timeoutMillis - spent);
  }
}
