package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.ShardId;

/**
 * A log is truncated only where no commit of a copy, no stored manifest and no other cluster still
 * needs it.
 */
final class TruncationNeverPassesANeed implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Truncated(ShardId shard, long offset))) {
      return;
    }
    Manifest stored = world.store().newest(shard);
    require(stored != null && offset <= stored.nextOffset(), "%s at %d: not stored", shard, offset);
    ClusterState state = world.newestState();
    state.shard(shard).ifPresent(routing -> copies(state, routing, offset, world));
    if (shard.equals(World.LEADER) && state.index(World.FOLLOWER.indexUuid()).isPresent()) {
      Truth.Accepted last = world.truth(World.FOLLOWER).last();
      Operation.Origin origin = last == null ? null : last.operation().origin();
      long need = origin == null ? 0 : origin.offset() + 1;
      require(offset <= need, "%s at %d: the follower needs %d", shard, offset, need);
    }
  }

  private void copies(ClusterState state, ShardRouting routing, long offset, World world) {
    boolean document =
        state
            .index(routing.shard().indexUuid())
            .map(index -> index.replicationType().equals(IndexMetadata.DOCUMENT))
            .orElse(false);
    for (CopyRouting copy : routing.everywhere()) {
      String nodeId = copy.nodeId();
      TwinDisk disk = nodeId == null ? null : world.node(nodeId).disks().get(copy.copyId());
      if (disk != null && disk.commit != null && (copy.primary() || document)) {
        require(
            offset <= disk.committedOffset(),
            "%s at %d: %s would replay from %d",
            routing.shard(),
            offset,
            copy,
            disk.committedOffset());
      }
    }
  }
}
