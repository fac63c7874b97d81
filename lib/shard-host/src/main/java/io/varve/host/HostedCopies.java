package io.varve.host;

import io.varve.events.ShardId;
import java.util.Optional;

/** The copies of a node, of which each shard has one at most. */
public interface HostedCopies {

  /** Empty as long as it is not open. */
  Optional<ShardCopy> copy(ShardId shard);

  /** Waits at most that long until the copy has opened its folder; 0 does not wait. */
  Optional<ShardCopy> await(ShardId shard, long waitMillis) throws InterruptedException;

  /** Whether the copy has opened its folder, or has failed to: its files are known. */
  static boolean isOpen(ShardCopy copy) {
    return copy.snapshots().isPresent()
        || (copy.state() != ShardCopy.State.EMPTY && copy.state() != ShardCopy.State.STARTING);
  }
}
