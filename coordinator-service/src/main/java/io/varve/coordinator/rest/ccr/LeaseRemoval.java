package io.varve.coordinator.rest.ccr;

import io.varve.events.ShardId;
import io.varve.log.LogException;

/** Removes the leases of followers on shards of this cluster. */
@FunctionalInterface
public interface LeaseRemoval {

  /** Removes the lease and returns when it no longer retains operations. */
  void remove(ShardId shard, String holder) throws LogException, InterruptedException;
}
