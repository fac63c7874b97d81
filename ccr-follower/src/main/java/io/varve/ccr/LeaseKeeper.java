package io.varve.ccr;

import io.varve.events.ShardId;
import io.varve.log.PartitionLog;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a follower's lease on the operations of one shard. The lease is taken at the offset at
 * which reading begins, before the first operation is read, and renewed every {@link
 * #RENEW_MILLIS}, even while the follower is idle. It is requested every {@link #RETRY_MILLIS}
 * while the leader's cluster does not have it, and released when the index is no longer a follower.
 * Pulling continues if a renewal fails, because the lease is valid for its period. Used by one
 * thread.
 */
final class LeaseKeeper {

  static final long RENEW_MILLIS = 30_000;
  static final long RETRY_MILLIS = 5_000;

  private final LeaderLease lease;
  private final int shard;
  private final LeaseSchedule schedule = new LeaseSchedule();

  LeaseKeeper(LeaderLease lease, int shard) {
    this.lease = lease;
    this.shard = shard;
  }

  /**
   * @param manifests of the leader's shard, null if the leader does not support leases
   */
  LeaseKeeper(@Nullable PartitionLog manifests, ShardId leader, String holder) {
    this(new WrittenLease(manifests, leader, holder), leader.number());
  }

  /**
   * Renews the lease if a renewal is due, so that the leader retains the records from {@code
   * fromOffset} on. Returns whether it was due.
   */
  boolean renew(long fromOffset, long nowMillis) throws InterruptedException {
    boolean retained = lease.isRetained(shard, fromOffset);
    if (!schedule.isDue(nowMillis, retained ? RENEW_MILLIS : RETRY_MILLIS)) {
      return false;
    }
    lease.renew(shard, fromOffset, nowMillis);
    schedule.renewed(nowMillis);
    return true;
  }

  /**
   * Takes the lease at that offset, whether or not a renewal is due. Returns whether the leader
   * retains the records from there on.
   */
  boolean take(long fromOffset, long nowMillis) throws InterruptedException {
    lease.renew(shard, fromOffset, nowMillis);
    schedule.renewed(nowMillis);
    return lease.isRetained(shard, fromOffset);
  }

  /** Why the leader's cluster refused the last request; empty if it did not. */
  String refusal() {
    return lease.refusal();
  }

  /** The reason for a loss of history, with the refusal of the lease that may have caused it. */
  String withRefusal(String reason) {
    String refusal = lease.refusal();
    return refusal.isEmpty() ? reason : reason + "; " + refusal;
  }

  void release() throws InterruptedException {
    lease.release();
  }
}
