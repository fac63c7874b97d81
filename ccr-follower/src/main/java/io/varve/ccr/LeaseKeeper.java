package io.varve.ccr;

import io.varve.events.FollowerLease;
import io.varve.events.RawRecord;
import io.varve.events.ShardId;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lease of a follower on its leader's operations: taken before the first of them is read,
 * renewed every {@link #RENEW_MILLIS} whether there are operations or not, released when the index
 * follows no more. If a renewal fails, pulling continues: the lease is valid for its period. Used
 * by one thread.
 */
final class LeaseKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  static final long RENEW_MILLIS = 30_000;

  private final @Nullable PartitionLog manifests;
  private final ShardId leader;
  private final String holder;
  private long renewedMillis = -1;

  /**
   * @param manifests of the leader's shard, null when the leader knows no leases
   */
  LeaseKeeper(@Nullable PartitionLog manifests, ShardId leader, String holder) {
    this.manifests = manifests;
    this.leader = leader;
    this.holder = holder;
  }

  /**
   * Renews the lease if that is due; records from {@code fromOffset} on may be read again. Returns
   * whether it was due.
   */
  boolean renew(long fromOffset, long nowMillis) throws InterruptedException {
    if (renewedMillis >= 0 && nowMillis - renewedMillis < RENEW_MILLIS) {
      return false;
    }
    append(new FollowerLease(leader, holder, fromOffset).record());
    renewedMillis = nowMillis;
    return true;
  }

  void release() throws InterruptedException {
    append(FollowerLease.released(leader, holder));
  }

  private void append(RawRecord record) throws InterruptedException {
    if (manifests == null) {
      return;
    }
    try {
      Appends.await(manifests, record);
    } catch (LogException e) {
      LOG.warn("{} the lease on {} stays as it was: {}", holder, leader, e.getMessage());
    }
  }
}
