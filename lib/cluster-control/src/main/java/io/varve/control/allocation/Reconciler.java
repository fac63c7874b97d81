package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What must happen so that every copy has a node: a pure function from the cluster's state to the
 * next events.
 *
 * <ol>
 *   <li>When the node of a primary left, or the primary failed, a replica that serves becomes the
 *       primary on its node, at once and under the next term.
 *   <li>{@code index.number_of_replicas} follows the number of nodes where {@code
 *       index.auto_expand_replicas} asks for it.
 *   <li>A shard has as many copies as {@code index.number_of_replicas} says; of those too many the
 *       ones that serve go last.
 *   <li>An index that is searched only has no primary and no replicas while it is blocked, and has
 *       them again as soon as it is not.
 *   <li>A copy whose node left keeps its place for {@code
 *       index.unassigned.node_left.delayed_timeout}, then it is unassigned. When the log may have
 *       been truncated, it keeps its place until another copy serves: its folder may be all that is
 *       left.
 *   <li>An unassigned primary goes to a node with the role primary, under the next term.
 *   <li>An unassigned replica goes to a node with the role replica, without one to a node with the
 *       role primary.
 *   <li>A copy for searches goes to a node with the role search, and is never promoted.
 *   <li>A copy on its way to another node goes on as {@link RelocationSteps} say.
 *   <li>What {@link AllocationDeciders} keep from a node doesn't go there, and what they don't let
 *       stay moves to another one.
 *   <li>When all is well, copies move from full nodes to empty ones, see {@link Rebalancing}.
 *   <li>The copies of a closed index are left where they are.
 *   <li>An index that follows another is pulled by a node with the role ccr, from the moment on at
 *       which its node is gone by another one.
 * </ol>
 *
 * Of the nodes that may have a copy the one with the fewest copies gets it, then the one with the
 * smallest id. Correctness never depends on the choice: a primary rebuilds itself from the log,
 * from the segment store or from another copy, or does not start; and one that is still alive
 * somewhere is fenced off by the next term.
 *
 * <p>INVARIANT: never two copies of a shard on one node; a term is given once.
 */
public final class Reconciler {

  /**
   * What the leader knows beside the state.
   *
   * @param absentSinceMillis for each node that copies wait for, when it was missed first
   * @param refused places where a copy failed a short while ago
   * @param disks of the nodes that said how full they are
   */
  public record Situation(
      Map<String, Long> absentSinceMillis,
      Set<Place> refused,
      Map<String, DiskUsage> disks,
      long nowMillis) {
    public Situation {
      absentSinceMillis = Map.copyOf(absentSinceMillis);
      refused = Set.copyOf(refused);
      disks = Map.copyOf(disks);
    }

    /** Of disks nothing is known. */
    public Situation(Map<String, Long> absentSinceMillis, Set<Place> refused, long nowMillis) {
      this(absentSinceMillis, refused, Map.of(), nowMillis);
    }
  }

  /** A shard on a node. */
  public record Place(ShardId shard, String nodeId) {}

  private final Supplier<String> ids;

  /** {@code ids} gives ids for copies, never the same twice. */
  public Reconciler(Supplier<String> ids) {
    this.ids = ids;
  }

  /** Why no copy may move to level the nodes now, if so. */
  public static Optional<AllocationDeciders.Verdict> rebalancingObstacle(ClusterState state) {
    return Rebalancing.obstacle(state);
  }

  /** The id of the copy that would move next to level the nodes. */
  public static Optional<String> nextRebalancing(ClusterState state, AllocationDeciders deciders) {
    return new Rebalancing(state, deciders).next().map(move -> move.copy().copyId());
  }

  /** Nothing when all is in place. Applying the events and asking again gives nothing. */
  public List<ClusterEvent> reconcile(ClusterState state, Situation situation) {
    return new Round(state, situation).run();
  }

  /** The events so far, and the state with them applied. */
  private final class Round {
    private final Situation situation;
    private final List<ClusterEvent> events = new ArrayList<>();
    private final Map<String, Integer> copiesOnNode = new HashMap<>();
    private ClusterState state;

    Round(ClusterState state, Situation situation) {
      this.state = state;
      this.situation = situation;
    }

    List<ClusterEvent> run() {
      // First of all, so that no replica is taken away that a shard without its primary needs.
      forEachShard((index, shard) -> relocate(shard));
      forEachShard((index, shard) -> promote(shard));
      state.indices().values().stream()
          .filter(index -> !index.closed())
          .forEach(index -> ReplicaExpansion.change(state, index).ifPresent(this::add));
      forEachShard(this::adjustReplicas);
      forEachShard(this::unassignOverdue);
      forEachPlace(nodeId -> copiesOnNode.merge(nodeId, 1, Integer::sum));
      forEachShard((index, shard) -> assignPrimary(shard));
      forEachShard((index, shard) -> assignReplicas(shard));
      forEachShard((index, shard) -> moveAway(shard));
      rebalance();
      state.indices().values().forEach(this::assignFollow);
      return events;
    }

    private void adjustReplicas(IndexMetadata index, ShardRouting shard) {
      boolean written = !shard.released() || !index.searchOnly();
      int writing = written ? 1 + index.numberOfReplicas() : 0;
      int forSearch = index.numberOfSearchReplicas();
      if (shard.writeCopies().size() == writing && shard.searchReplicas().size() == forSearch) {
        return;
      }
      List<CopyRouting> copies = new ArrayList<>();
      if (written) {
        copies.add(shard.released() ? primaryAgain() : shard.primary());
      }
      copies.addAll(best(shard.replicas(), writing - 1));
      while (copies.size() < writing) {
        copies.add(CopyRouting.unassigned(ids.get(), false, "REPLICA_ADDED"));
      }
      copies.addAll(best(shard.searchReplicas(), forSearch));
      while (copies.size() < writing + forSearch) {
        copies.add(CopyRouting.unassignedForSearch(ids.get(), "REPLICA_ADDED"));
      }
      add(new ClusterEvent.CopiesChanged(shard.shard(), copies));
    }

    private CopyRouting primaryAgain() {
      return CopyRouting.unassigned(ids.get(), true, "WRITERS_WANTED");
    }

    private List<CopyRouting> best(List<CopyRouting> copies, int count) {
      return copies.stream()
          .sorted(
              Comparator.comparing((CopyRouting copy) -> !state.active(copy))
                  .thenComparing(CopyRouting::state, Comparator.reverseOrder()))
          .limit(Math.max(0, count))
          .toList();
    }

    private void relocate(ShardRouting shard) {
      for (Relocation moving : shard.relocations()) {
        RelocationSteps.next(state, state.shard(shard.shard()).orElseThrow(), moving)
            .ifPresent(this::add);
      }
    }

    private void promote(ShardRouting shard) {
      CopyRouting primary = shard.primary();
      boolean lives = primary.nodeId() != null && state.nodes().containsKey(primary.nodeId());
      if (lives || shard.handOver().isPresent()) {
        return;
      }
      shard.replicas().stream()
          .filter(state::active)
          .filter(copy -> !isRefused(shard, copy.nodeId()))
          .min(
              Comparator.comparing((CopyRouting copy) -> !isForPrimaries(copy))
                  .thenComparing(CopyRouting::copyId))
          .ifPresent(copy ->
              add(
                  new ClusterEvent.ReplicaPromoted(
                      shard.shard(),
                      copy.copyId(),
                      shard.newestTerm() + 1,
                      primary.nodeId() == null ? primary.reason() : "NODE_LEFT")));
    }

    private boolean isForPrimaries(CopyRouting copy) {
      return copy.nodeId() != null && state.nodes().get(copy.nodeId()).has(NodeInfo.PRIMARY);
    }

    private boolean isRefused(ShardRouting shard, @Nullable String nodeId) {
      return nodeId != null && situation.refused().contains(new Place(shard.shard(), nodeId));
    }

    private void unassignOverdue(IndexMetadata index, ShardRouting shard) {
      long delayMillis = IndexSettings.delayedTimeoutMillis(index.settings());
      for (CopyRouting copy : shard.copies()) {
        if (copy.nodeId() == null
            || state.nodes().containsKey(copy.nodeId())
            || (copy.primary() && shard.handOver().isPresent())) {
          continue;
        }
        Long since = situation.absentSinceMillis().get(copy.nodeId());
        if (isWaitedFor(index, shard, copy)) {
          continue;
        }
        if (since != null && situation.nowMillis() - since >= delayMillis) {
          add(new ClusterEvent.CopyUnassigned(shard.shard(), copy.copyId(), "NODE_LEFT"));
        }
      }
    }

    /** The log alone may not be enough to build the shard anew, and no other copy serves. */
    private boolean isWaitedFor(IndexMetadata index, ShardRouting shard, CopyRouting copy) {
      boolean logIsWhole =
          IndexSettings.isRemoteBacked(index.settings())
              || shard.writeCopies().size()
                  < IndexSettings.logRetention(index.settings()).minCopies()
              || !IndexSettings.logRetention(index.settings()).shortened();
      return !logIsWhole
          && !copy.searchOnly()
          && shard.writeCopies().stream().noneMatch(state::active);
    }

    private void assignPrimary(ShardRouting shard) {
      if (shard.released() || shard.primary().state() != State.UNASSIGNED) {
        return;
      }
      choose(shard, shard.primary(), NodeInfo.PRIMARY)
          .ifPresent(nodeId -> {
            add(
                new ClusterEvent.PrimaryAssigned(
                    shard.shard(), ids.get(), nodeId, shard.newestTerm() + 1));
            copiesOnNode.merge(nodeId, 1, Integer::sum);
          });
    }

    private void assignReplicas(ShardRouting shard) {
      for (CopyRouting replica : shard.copies()) {
        if (replica.primary() || replica.state() != State.UNASSIGNED) {
          continue;
        }
        ShardRouting now = state.shard(shard.shard()).orElseThrow();
        place(now, replica)
            .ifPresent(nodeId -> {
              add(
                  new ClusterEvent.ReplicaAssigned(
                      shard.shard(), replica.copyId(), ids.get(), nodeId));
              copiesOnNode.merge(nodeId, 1, Integer::sum);
            });
      }
    }

    private Optional<String> place(ShardRouting shard, CopyRouting copy) {
      if (copy.searchOnly()) {
        return choose(shard, copy, NodeInfo.SEARCH);
      }
      return copy.primary()
          ? choose(shard, copy, NodeInfo.PRIMARY)
          : choose(shard, copy, NodeInfo.REPLICA).or(() -> choose(shard, copy, NodeInfo.PRIMARY));
    }

    /** What may not stay where it is goes where it may, if there is such a place. */
    private void moveAway(ShardRouting shard) {
      for (CopyRouting copy : shard.copies()) {
        if (!state.active(copy)
            || shard.relocationOf(copy.copyId()).isPresent()
            || deciders().mayRemain(shard, copy, state.nodes().get(copy.nodeId()))) {
          continue;
        }
        ShardRouting now = state.shard(shard.shard()).orElseThrow();
        place(now, copy).ifPresent(nodeId -> move(now, copy, nodeId));
      }
    }

    private void rebalance() {
      for (Optional<Rebalancing.Move> move = new Rebalancing(state, deciders()).next();
          move.isPresent();
          move = new Rebalancing(state, deciders()).next()) {
        move(move.get().shard(), move.get().copy(), move.get().nodeId());
      }
    }

    private void move(ShardRouting shard, CopyRouting copy, String nodeId) {
      add(new ClusterEvent.RelocationStarted(shard.shard(), copy.copyId(), ids.get(), nodeId));
      copiesOnNode.merge(nodeId, 1, Integer::sum);
    }

    private AllocationDeciders deciders() {
      return new AllocationDeciders(state, situation.refused(), situation.disks());
    }

    private Optional<String> choose(ShardRouting shard, CopyRouting copy, String role) {
      AllocationDeciders deciders = deciders();
      Predicate<NodeInfo> free = node -> node.has(role) && deciders.allow(shard, copy, node);
      return state.nodes().values().stream()
          .filter(free)
          .map(NodeInfo::nodeId)
          .min(
              Comparator.comparingInt((String id) -> copiesOnNode.getOrDefault(id, 0))
                  .thenComparing(Comparator.naturalOrder()));
    }

    private void assignFollow(IndexMetadata index) {
      IndexMetadata.Follow follow = index.follow();
      if (follow == null || index.closed() || canPull(follow.nodeId())) {
        return;
      }
      Optional<String> puller =
          state.nodes().values().stream()
              .filter(node -> node.has(NodeInfo.CCR))
              .map(NodeInfo::nodeId)
              .min(
                  Comparator.comparingLong(this::pulledBy)
                      .thenComparing(Comparator.naturalOrder()));
      if (puller.isPresent() || follow.nodeId() != null) {
        add(
            new ClusterEvent.FollowAssigned(
                index.uuid(), puller.orElse(null), follow.assignment() + 1));
      }
    }

    private boolean canPull(@Nullable String nodeId) {
      return nodeId != null && state.node(nodeId).filter(n -> n.has(NodeInfo.CCR)).isPresent();
    }

    private long pulledBy(String nodeId) {
      return state.indices().values().stream()
          .filter(i -> i.follow() != null && nodeId.equals(i.follow().nodeId()))
          .count();
    }

    private void add(ClusterEvent event) {
      events.add(event);
      state = state.apply(event);
    }

    private void forEachShard(BiConsumer<IndexMetadata, ShardRouting> action) {
      for (IndexMetadata index : state.indices().values()) {
        if (index.closed()) {
          continue;
        }
        index.shards().forEach(shard -> action.accept(index, shard));
      }
    }

    private void forEachPlace(Consumer<String> action) {
      forEachShard((index, shard) ->
          shard.everywhere().stream()
              .map(CopyRouting::nodeId)
              .filter(Objects::nonNull)
              .forEach(action));
    }
  }
}
