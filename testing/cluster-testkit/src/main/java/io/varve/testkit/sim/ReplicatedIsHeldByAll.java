package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.host.reading.HeldVersions;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every record that a primary of a strongly consistent index treats as replicated is held by every
 * started copy that writers wait for, in its present run, at that time. Each copy that starts
 * later, while another copy serves, also holds it. A copy that is opened again does not count
 * before it has proven its start again, and then also holds it.
 */
final class ReplicatedIsHeldByAll implements Invariant {

  private final Map<ShardId, Long> replicatedUpTo = new HashMap<>();

  /** Copies that started, or were opened again, while no other served and could admit them. */
  private final Set<String> startedAlone = new HashSet<>();

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.CalledReplicated(var primary, var version) -> {
        requireHeld(primary, version, world);
        called(primary.shard(), version.seqNo());
      }
      case Observation.CalledReplicatedUpTo(var primary, long seqNo) -> {
        for (SimCopy copy : started(primary.shard(), world)) {
          require(
              copy.held().current() >= seqNo,
              "%s calls everything up to %d replicated, %s holds it up to %d",
              primary,
              seqNo,
              copy,
              copy.held().current());
        }
        called(primary.shard(), seqNo);
      }
      case Observation.StartProven(var copy, var admitted) -> proven(copy, admitted, world);
      case Observation.ClusterLogged(var before, var now) ->
          world.shards().forEach(shard -> started(shard, before, now, world));
      default -> {}
    }
  }

  private void called(ShardId shard, long seqNo) {
    replicatedUpTo.merge(shard, seqNo, Math::max);
  }

  private void requireHeld(PrimaryActor primary, Version version, World world) {
    for (SimCopy copy : started(primary.shard(), world)) {
      // The primary may have applied the version before older operations of other documents.
      long heldSeqNo =
          copy.equals(primary)
              ? Math.max(copy.held().current(), version.seqNo())
              : copy.held().current();
      Verdict verdict = HeldVersions.judge(version, heldSeqNo, copy.heldState(version.id()));
      require(
          verdict == Verdict.HOLDS || verdict == Verdict.NEWER,
          "%s calls %s replicated, of which %s says %s",
          primary,
          version,
          copy,
          verdict);
    }
  }

  private void proven(SimCopy copy, boolean admitted, World world) {
    if (!admitted) {
      startedAlone.add(copy.copyId());
      return;
    }
    startedAlone.remove(copy.copyId());
    long owed = replicatedUpTo.getOrDefault(copy.shard(), -1L);
    require(
        !started(copy.shard(), world).contains(copy) || copy.held().current() >= owed,
        "%s was opened again and holds everything up to %d, but seq_no %d was called replicated",
        copy,
        copy.held().current(),
        owed);
  }

  private void started(ShardId shard, ClusterState before, ClusterState now, World world) {
    ShardRouting routing = now.shard(shard).orElse(null);
    if (routing == null) {
      return;
    }
    Set<String> known = new HashSet<>();
    before
        .shard(shard)
        .ifPresent(r ->
            r.writeCopies().stream()
                .filter(CopyRouting::started)
                .forEach(copy -> known.add(copy.copyId())));
    startedAlone.removeIf(copyId -> routing.primary().copyId().equals(copyId));
    for (CopyRouting copy : routing.writeCopies()) {
      SimCopy open = open(copy, now, world);
      if (open == null || known.contains(copy.copyId()) || open instanceof PrimaryActor) {
        continue;
      }
      if (before.shard(shard).filter(r -> before.othersServe(r, copy.copyId())).isEmpty()) {
        startedAlone.add(copy.copyId());
      } else {
        long owed = replicatedUpTo.getOrDefault(shard, -1L);
        require(
            open.held().current() >= owed,
            "%s starts and holds everything up to %d, but seq_no %d was called replicated",
            open,
            open.held().current(),
            owed);
      }
    }
  }

  private List<SimCopy> started(ShardId shard, World world) {
    ClusterState state = world.indices().newest();
    return state.shard(shard).stream()
        .flatMap(routing -> routing.writeCopies().stream())
        .filter(copy -> !startedAlone.contains(copy.copyId()))
        .map(copy -> open(copy, state, world))
        .filter(copy -> copy != null)
        .toList();
  }

  /** The copy if it is started, in the run that the state names. */
  private static @Nullable SimCopy open(CopyRouting copy, ClusterState state, World world) {
    if (!copy.started() || copy.nodeId() == null) {
      return null;
    }
    NodeInfo member = state.node(copy.nodeId()).orElse(null);
    SimNode node = world.node(copy.nodeId());
    boolean present = member != null && member.incarnation().equals(node.process().toString());
    SimCopy open = present ? node.copy(copy.copyId()) : null;
    boolean counts = open != null && open.holder() != null && node.startReports().isProven(open);
    return counts ? open : null;
  }
}
