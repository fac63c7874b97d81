package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A primary of a follower reports its shard as lost, so that the follower is replaced, only if no
 * copy in the newest routing has a commit from which the shard's log can be replayed. A search-only
 * copy must also have the newest manifest, because others copy only this one. If a shard never
 * started, none of its copies counts.
 */
final class OnlyALostShardIsReported implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.SaysLost(var shard, var publishedSeqNo)) {
      world
          .indices()
          .newest()
          .shard(shard)
          .ifPresent(routing ->
              require(
                  isLost(routing, publishedSeqNo, world), "%s is not lost: %s", shard, routing));
    }
  }

  private static boolean isLost(ShardRouting routing, long publishedSeqNo, World world) {
    long start = world.logs().partition(World.ops(routing.shard())).startOffset();
    return routing.neverStarted()
        || routing.everywhere().stream()
            .noneMatch(copy -> {
              long neededSeqNo = copy.searchOnly() ? publishedSeqNo : 0;
              return folder(routing.shard(), copy, world)
                  .filter(disk -> holds(disk.commit, start, neededSeqNo))
                  .isPresent();
            });
  }

  private static boolean holds(
      SimDisk.@Nullable Commit commit, long startOffset, long neededSeqNo) {
    return commit != null
        && commit.checkpoint().nextOffset() >= startOffset
        && commit.checkpoint().nextSeqNo() >= neededSeqNo;
  }

  private static Optional<SimDisk> folder(ShardId shard, CopyRouting copy, World world) {
    return Optional.ofNullable(copy.nodeId()).map(world::node).flatMap(node -> node.folder(shard));
  }
}
