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
 * The lease on one shard of a cluster that does not record leases: the follower itself appends it
 * to the topic of the leader's manifests. If an append fails, the previous lease remains.
 */
final class WrittenLease implements LeaderLease {

  private static final Logger LOG = LoggerFactory.getLogger(WrittenLease.class);

  private final @Nullable PartitionLog manifests;
  private final ShardId leader;
  private final String holder;

  /**
   * @param manifests of the leader's shard, null if the leader does not support leases
   */
  WrittenLease(@Nullable PartitionLog manifests, ShardId leader, String holder) {
    this.manifests = manifests;
    this.leader = leader;
    this.holder = holder;
  }

  @Override
  public void renew(int shard, long fromOffset, long nowMillis) throws InterruptedException {
    append(new FollowerLease(leader, holder, fromOffset).record());
  }

  @Override
  public boolean isActive(int shard) {
    return true;
  }

  @Override
  public String refusal() {
    return "";
  }

  @Override
  public void release() throws InterruptedException {
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
