package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A log is truncated only where neither the commit of a copy that may write, nor a stored manifest,
 * nor another cluster that has begun to follow, and was not forgotten, needs it. Without a segment
 * store, two nodes must hold the truncated operations. A node that lost its disk after the primary
 * had asked it still counts, because no primary can detect this. A copy that was assigned after the
 * primary read the routing, and is not started, may need earlier operations: it is rebuilt from the
 * newest manifest, which must reach at least as far. A lease needs the log from the newest commit
 * on that its primary has pinned and that is not past the lease. Nothing is truncated before a
 * primary of the shard was started: until then, coordinators treat the log as complete.
 */
final class TruncationNeverPassesANeed implements Invariant {

  private static final int HOLDERS = 2;
  private static final long NOTHING = Long.MAX_VALUE;

  /** The first record that the follower needs by the last plan of its bootstrap. */
  private long plannedOffset = NOTHING;

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Planned(var _, var plan) -> {
        Manifest copied = plan.manifest();
        plannedOffset = copied == null ? 0 : copied.nextOffset();
      }
      case Observation.Truncated truncated -> check(truncated, world);
      default -> {}
    }
  }

  private void check(Observation.Truncated truncated, World world) {
    ShardId shard = truncated.shard();
    long offset = truncated.offset();
    ClusterState known = truncated.known();
    if (world.indices().hasStore(shard)) {
      Manifest stored = world.store().newest(shard);
      require(
          stored != null && offset <= stored.nextOffset(), "%s at %d: not stored", shard, offset);
    }
    // Nodes may have read more of the cluster log than any coordinator has.
    boolean newer = known.version() > world.newestState().version();
    ClusterState state = newer ? known : world.newestState();
    require(
        known.shard(shard).filter(ShardRouting::neverStarted).isEmpty(),
        "%s at %d: no primary was ever started",
        shard,
        offset);
    Set<String> asked =
        known.shard(shard).stream()
            .flatMap(routing -> routing.everywhere().stream())
            .map(TruncationNeverPassesANeed::place)
            .collect(Collectors.toSet());
    state.shard(shard).ifPresent(routing -> copies(routing, asked, truncated, world));
    if (!world.mutated(Mutation.TRUNCATE_PAST_A_FOLLOWER)) {
      known.shard(shard).ifPresent(routing -> pins(routing.primary(), truncated, world));
    }
    boolean isFollowed =
        shard.equals(world.followed())
            && state.index(World.FOLLOWER.indexUuid()).map(IndexMetadata::follow).isPresent();
    if (isFollowed && !world.indices().isFollowerForgotten()) {
      AcceptedLog.Accepted last = world.logs().acceptedLog(World.FOLLOWER).last();
      Operation.Origin origin = last == null ? null : last.operation().origin();
      long need = origin == null ? plannedOffset : Math.max(plannedOffset, origin.offset() + 1);
      require(offset <= need, "%s at %d: the follower needs %d", shard, offset, need);
    }
  }

  private void pins(CopyRouting primary, Observation.Truncated truncated, World world) {
    SimDisk disk = world.node(String.valueOf(primary.nodeId())).disks().get(primary.copyId());
    if (disk == null) {
      return;
    }
    for (long lease : SimPins.leases(truncated.known(), truncated.shard())) {
      long need = disk.pinned.pins().neededFrom(lease);
      require(
          truncated.offset() <= need,
          "%s at %d: a commit is pinned at %d for the lease at %d",
          truncated.shard(),
          truncated.offset(),
          need,
          lease);
    }
  }

  private static String place(CopyRouting copy) {
    return copy.copyId() + "@" + copy.nodeId();
  }

  private static long published(ShardId shard, World world) {
    return world.logs().partition(World.manifests(shard)).all().stream()
        .mapToLong(stored -> world.logs().manifest(stored).nextOffset())
        .max()
        .orElse(0);
  }

  private void copies(
      ShardRouting routing, Set<String> asked, Observation.Truncated truncated, World world) {
    long offset = truncated.offset();
    Set<String> holders = new HashSet<>();
    for (CopyRouting copy : routing.everywhere()) {
      String nodeId = copy.nodeId();
      SimDisk disk = nodeId == null ? null : world.node(nodeId).disks().get(copy.copyId());
      if (nodeId != null && world.node(nodeId).diskLostMicros() >= truncated.askedMicros()) {
        holders.add(nodeId);
      }
      if (disk == null || disk.commit == null || copy.searchOnly()) {
        continue;
      }
      if (!asked.contains(place(copy)) && !copy.started()) {
        require(
            offset <= published(routing.shard(), world),
            "%s at %d: %s can't start from a manifest",
            routing.shard(),
            offset,
            copy);
        continue;
      }
      require(
          offset <= disk.committedOffset(),
          "%s at %d: %s would replay from %d",
          routing.shard(),
          offset,
          copy,
          disk.committedOffset());
      holders.add(nodeId);
    }
    require(
        world.indices().hasStore(routing.shard()) || holders.size() >= HOLDERS,
        "%s at %d: held by %s alone",
        routing.shard(),
        offset,
        holders);
  }
}
