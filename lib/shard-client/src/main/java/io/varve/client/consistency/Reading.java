package io.varve.client.consistency;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.events.ShardId;
import io.varve.process.Ticker;
import io.varve.rpc.ReadDemand;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One read, what it was promised, and the time that it has: for copies to show what was promised,
 * and for copies to be there at all. The times are looked up when they are needed first: most reads
 * are answered by the first copy that is asked.
 */
public final class Reading {

  /** Whatever copies show, without time to wait for them. */
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

  /** Begins now, with the times that the request and the cluster say. */
  public static Reading begin(ReadPromise promise, ClusterState state, Ticker clock) {
    return new Reading(promise, state, clock);
  }

  /** The same, which begins now. */
  Reading again() {
    return new Reading(promise, state, clock);
  }

  /** What a copy of the shard must show, without a time to wait. */
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

  /** How long it waits at a replica before it goes to the primary. */
  long replicaWaitMillis() {
    return state == null ? 0 : ClusterSettings.millis(state, ClusterSettings.REPLICA_WAIT);
  }

  long leftMillis() {
    long spent = TimeUnit.NANOSECONDS.toMillis(clock.nanos() - beganNanos);
    return Math.max(0, timeoutMillis() - spent);
  }
}
