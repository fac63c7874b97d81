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
 * to the topic of the leader's manifests. If an append fails, the previous lease remains. Used by
 * one thread.
 */
final class WrittenLease implements LeaderLease {

  private static final Logger LOG = LoggerFactory.getLogger(WrittenLease.class);

  private final @Nullable PartitionLog manifests;
  private final ShardId leader;
  private final String holder;

  /** The offset of the last lease that was appended; -1 for none. */
  private long writtenOffset = -1;

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
    if (append(new FollowerLease(leader, holder, fromOffset).record())) {
      writtenOffset = fromOffset;
    }
  }

  /** Of a leader that does not support leases, nothing more can be requested. */
  @Override
  public boolean isRetained(int shard, long fromOffset) {
    return manifests == null || (writtenOffset >= 0 && writtenOffset <= fromOffset);
  }

  @Override
  public String refusal() {
    return "";
  }

  @Override
  public void release() throws InterruptedException {
    writtenOffset = -1;
    var _ = append(FollowerLease.released(leader, holder));
  }

  /** Returns whether the record was appended. */
  private boolean append(RawRecord record) throws InterruptedException {
    if (manifests == null) {
      return false;
    }
    try {
      Appends.await(manifests, record);
      return true;
    } catch (LogException e) {
      LOG.warn("{}: the lease on {} could not be written: {}", holder, leader, e.getMessage());
      return false;
    }
  }
}
