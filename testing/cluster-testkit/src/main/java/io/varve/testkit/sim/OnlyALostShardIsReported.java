package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import java.util.Optional;

/**
 * A primary of a follower reports its shard as lost, so that the follower is replaced, only if no
 * copy in the newest routing has a commit from which the shard's log can be replayed. Of a shard
 * that never started, no copy counts.
 */
final class OnlyALostShardIsReported implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.SaysLost(var shard)) {
      world
          .indices()
          .newest()
          .shard(shard)
          .ifPresent(
              routing -> require(isLost(routing, world), "%s is not lost: %s", shard, routing));
    }
  }

  private static boolean isLost(ShardRouting routing, World world) {
    long start = world.logs().partition(World.ops(routing.shard())).startOffset();
    return routing.neverStarted()
        || routing.everywhere().stream()
            .map(copy -> disk(copy, world))
            .flatMap(Optional::stream)
            .noneMatch(disk -> disk.commit != null && disk.committedOffset() >= start);
  }

  private static Optional<SimDisk> disk(CopyRouting copy, World world) {
    return Optional.ofNullable(copy.nodeId())
        .map(world::node)
        .map(node -> node.disks().get(copy.copyId()));
  }
}
