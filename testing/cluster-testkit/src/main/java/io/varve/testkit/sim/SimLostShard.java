package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ClusterCalls;
import io.varve.shard.primary.LostShard;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Requests the replacement of a follower whose primary can't be recovered: production's {@link
 * LostShard} decides, in the place of production's {@code LostFollowerShard}.
 */
final class SimLostShard {

  private final World world;
  private final PrimaryActor primary;
  private final PartitionLog log;
  private final PartitionLog manifests;

  SimLostShard(PrimaryActor primary, PartitionLog log, PartitionLog manifests) {
    this.world = primary.world;
    this.primary = primary;
    this.log = log;
    this.manifests = manifests;
  }

  void recoveryFailed() throws LogException {
    ClusterState state = primary.node.stateAtTheEnd().orElse(null);
    if (state == null || state.index(primary.shard.indexUuid()).isEmpty()) {
      return;
    }
    long neededSeqNo = neededSeqNo(state);
    lost(state, neededSeqNo)
        .ifPresent(index -> {
          FollowRelation follow = index.follow();
          if (follow != null && !world.shape().followsARemote()) {
            world.note(primary + " lost its only copy");
            world.observe(new Observation.SaysLost(primary.shard, neededSeqNo));
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

  private Optional<IndexMetadata> lost(ClusterState state, long neededSeqNo) throws LogException {
    if (world.mutated(Mutation.REPLACE_WHILE_ANOTHER_COPY_HAS_IT)) {
      return state.index(primary.shard.indexUuid());
    }
    long start = log.startOffset();
    LostShard.Found found =
        new LostShard.Found(
            storeHasIt(start),
            primary.disk.commit != null && primary.disk.committedOffset() >= start,
            start,
            lacking(state, neededSeqNo));
    return LostShard.decide(state, primary.shard, primary.copyId, found)
            instanceof LostShard.Outcome.Lost(IndexMetadata follower, String _)
        ? Optional.of(follower)
        : Optional.empty();
  }

  private boolean storeHasIt(long startOffset) {
    Manifest stored =
        world.indices().hasStore(primary.shard) ? world.store().newest(primary.shard) : null;
    return stored != null && stored.nextOffset() >= startOffset;
  }

  /** The other copies on nodes that answer, and whose folders lack what was published. */
  private Set<String> lacking(ClusterState state, long neededSeqNo) {
    List<CopyRouting> others =
        state
            .shard(primary.shard)
            .map((ShardRouting shard) -> LostShard.others(shard, primary.copyId))
            .orElse(List.of());
    return others.stream()
        .filter(copy -> answers(copy) && lacks(copy, neededSeqNo))
        .map(CopyRouting::copyId)
        .collect(Collectors.toSet());
  }

  private long neededSeqNo(ClusterState state) throws LogException {
    boolean isDocument =
        state
            .index(primary.shard.indexUuid())
            .filter(index -> index.replicationType().equals(IndexMetadata.DOCUMENT))
            .isPresent();
    Manifest newest =
        isDocument
            ? null
            : new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    return newest == null ? 0 : newest.nextSeqNo();
  }

  private boolean answers(CopyRouting copy) {
    SimNode node = world.node(String.valueOf(copy.nodeId()));
    return node.process().isUp() && world.network().connected(primary.node.nodeId(), node.nodeId());
  }

  private boolean lacks(CopyRouting copy, long neededSeqNo) {
    SimNode node = world.node(String.valueOf(copy.nodeId()));
    SimDisk.Commit held = node.folder(primary.shard).map(disk -> disk.commit).orElse(null);
    return held == null || held.checkpoint().nextSeqNo() < neededSeqNo;
  }
}
