package io.varve.host;

import io.varve.events.ShardId;
import java.util.Optional;

/** The copies of a node, at most one per shard. */
public interface HostedCopies {

  /** Empty while the copy is not open. */
  Optional<ShardCopy> copy(ShardId shard);

  /**
   * Whether the most recently opened copy is about to close. Until it is closed, its folder may
   * lack operations that it has applied.
   */
  boolean isClosing(ShardId shard);

  /** Waits for up to {@code waitMillis} until the copy has opened its folder; 0 does not wait. */
  Optional<ShardCopy> await(ShardId shard, long waitMillis) throws InterruptedException;

  /**
   * Whether the copy has opened its folder or failed to open it: in both cases its files are known.
   */
  static boolean isOpen(ShardCopy copy) {
    return copy.snapshots().isPresent()
        || (copy.state() != ShardCopy.State.EMPTY && copy.state() != ShardCopy.State.STARTING);
  }
}
