package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.FolderPosition;
import io.varve.shard.primary.LostShard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests the replacement of a follower whose primary can't be recovered: production's {@link
 * LostShard} decides. Simulates production's {@code LostFollowerShard}.
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
    long publishedSeqNo = publishedSeqNo();
    lost(state, publishedSeqNo)
        .ifPresent(index -> {
          FollowRelation follow = index.follow();
          if (follow != null && !world.shape().followsARemote()) {
            world.note(primary + " lost its only copy");
            world.observe(new Observation.SaysLost(primary.shard, publishedSeqNo));
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

  private Optional<IndexMetadata> lost(ClusterState state, long publishedSeqNo)
      throws LogException {
    if (world.mutated(Mutation.REPLACE_WHILE_ANOTHER_COPY_HAS_IT)) {
      return state.index(primary.shard.indexUuid());
    }
    LogBeginning beginning = LogBeginning.of(log);
    LostShard.Found found =
        new LostShard.Found(
            storeHasIt(beginning),
            primary.disk.commit != null && !beginning.isBehind(position(primary.disk.commit)),
            log.startOffset(),
            publishedSeqNo,
            folders(state, beginning, publishedSeqNo));
    return LostShard.decide(state, primary.shard, primary.copyId, found)
            instanceof LostShard.Outcome.Lost(IndexMetadata follower, String _)
        ? Optional.of(follower)
        : Optional.empty();
  }

  private boolean storeHasIt(LogBeginning beginning) {
    Manifest stored =
        world.indices().hasStore(primary.shard) ? world.store().newest(primary.shard) : null;
    return stored != null && !beginning.isBehind(RestoredFolder.position(stored));
  }

  private long publishedSeqNo() throws LogException {
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    return newest == null ? 0 : newest.nextSeqNo();
  }

  /** The content of the folders of other copies whose nodes answer. */
  private Map<String, FolderPosition> folders(
      ClusterState state, LogBeginning beginning, long publishedSeqNo) {
    boolean onlyNewest =
        world.mutated(Mutation.REPLACE_WHILE_ANOTHER_COPY_CAN_CONTINUE)
            && world.indices().isSegment(primary.shard);
    Map<String, FolderPosition> folders = new HashMap<>();
    for (CopyRouting copy : others(state)) {
      SimNode node = world.node(String.valueOf(copy.nodeId()));
      if (answers(node)) {
        FolderPosition held = held(node, beginning);
        folders.put(
            copy.copyId(),
            onlyNewest && held.nextSeqNo() < publishedSeqNo ? FolderPosition.EMPTY : held);
      }
    }
    return folders;
  }

  private List<CopyRouting> others(ClusterState state) {
    return state
        .shard(primary.shard)
        .map((ShardRouting shard) -> LostShard.others(shard, primary.copyId))
        .orElse(List.of());
  }

  private boolean answers(SimNode node) {
    return node.process().isUp() && world.network().connected(primary.node.nodeId(), node.nodeId());
  }

  private FolderPosition held(SimNode node, LogBeginning beginning) {
    SimDisk.Commit held = node.folder(primary.shard).map(disk -> disk.commit).orElse(null);
    return held == null || held.checkpoint().nextOffset() == 0
        ? FolderPosition.EMPTY
        : new FolderPosition(
            true,
            held.checkpoint().nextSeqNo(),
            held.checkpoint().fenceTerm(),
            !beginning.isBehind(position(held)),
            null);
  }

  private static LogPosition position(SimDisk.Commit commit) {
    AppliedPosition held = commit.checkpoint();
    return new LogPosition(held.nextOffset(), held.nextSeqNo(), held.fenceTerm());
  }
}
