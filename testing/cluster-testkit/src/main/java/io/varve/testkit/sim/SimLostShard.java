package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ClusterCalls;
import io.varve.shard.primary.LostShard;
import java.util.Optional;

/**
 * Requests the replacement of a follower whose primary can't be recovered: production's {@link
 * LostShard} decides, in the place of production's {@code LostFollowerShard}.
 */
final class SimLostShard {

  private final World world;
  private final PrimaryActor primary;
  private final PartitionLog log;

  SimLostShard(PrimaryActor primary, PartitionLog log) {
    this.world = primary.world;
    this.primary = primary;
    this.log = log;
  }

  void recoveryFailed() throws LogException {
    LostShard.Found found =
        new LostShard.Found(
            world.indices().hasStore(primary.shard),
            primary.disk.commit != null,
            log.startOffset());
    primary
        .node
        .stateAtTheEnd()
        .flatMap(state -> lost(state, found))
        .ifPresent(index -> {
          FollowRelation follow = index.follow();
          if (follow != null && !world.shape().followsARemote()) {
            world.note(primary + " lost its only copy");
            world.observe(new Observation.SaysLost(primary.shard));
            SimLoss.report(
                world,
                primary.node,
                new ClusterCalls.LostHistory(
                    index.uuid(),
                    follow.leaderUuid(),
                    index.settings(),
                    index.mapping(),
                    "the only copy is lost"));
          }
        });
  }

  private Optional<IndexMetadata> lost(ClusterState state, LostShard.Found found) {
    return world.mutated(Mutation.REPLACE_WHILE_ANOTHER_COPY_HAS_IT)
        ? state.index(primary.shard.indexUuid())
        : LostShard.follower(state, primary.shard, primary.copyId, found);
  }
}
