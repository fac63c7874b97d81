package io.varve.node;

import io.varve.events.ShardId;
import java.util.Optional;

/** The copies of a node, of which each shard has one at most. */
public interface HostedCopies {

  /** Empty as long as it is not open. */
  Optional<ShardCopy> copy(ShardId shard);

  /** Waits until it is open, or so long. */
  Optional<ShardCopy> await(ShardId shard, long waitMillis) throws InterruptedException;
}
