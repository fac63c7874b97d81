package io.varve.client.consistency;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.events.ShardId;
import io.varve.process.Ticker;
import io.varve.rpc.ReadDemand;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One read with its promise and its time limits: for copies to show what was promised, and for
 * copies to become available. Limits are looked up when they are first needed, because most reads
 * are answered by the first copy.
 */
public final class Reading {

  /** A read without a promise that does not wait for copies. */
  public static final Reading ANY = new Reading(ReadPromise.NONE, null, Ticker.SYSTEM);

  private final ReadPromise promise;
  private final @Nullable ClusterState state;
  private final Ticker clock;
  private final long beganNanos;

  private Reading(ReadPromise promise, @Nullable ClusterState state, Ticker clock) {
    this.promise = promise;
    this.state = state;
    this.clock = clock;
    this.beganNanos = clock.nanos();
  }

  /** Starts a read with the limits of the request and the cluster settings. */
  public static Reading begin(ReadPromise promise, ClusterState state, Ticker clock) {
    return new Reading(promise, state, clock);
  }

  /** Starts the same read again. */
  Reading again() {
    return new Reading(promise, state, clock);
  }

  /** The demand on a copy of the shard, without a wait. */
  public ReadDemand demand(ShardId shard) {
    return promise.isNone()
        ? ReadDemand.NONE
        : new ReadDemand(promise.session().seqNo(shard), promise.maxStalenessMillis(), 0);
  }

  long timeoutMillis() {
    if (state == null) {
      return 0;
    }
    return promise.timeoutMillis() < 0
        ? ClusterSettings.millis(state, ClusterSettings.READ_TIMEOUT)
        : promise.timeoutMillis();
  }

  /** How long the read waits on a replica before it is sent to the primary. */
  long replicaWaitMillis() {
    return state == null ? 0 : ClusterSettings.millis(state, ClusterSettings.REPLICA_WAIT);
  }

  long leftMillis() {
    long spent = TimeUnit.NANOSECONDS.toMillis(clock.nanos() - beganNanos);
    return Math.max(0, timeoutMillis() - spent);
  }
}
