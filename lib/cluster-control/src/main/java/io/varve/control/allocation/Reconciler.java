package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the events that allocate every copy to a node: a pure function of the cluster state.
 *
 * <ol>
 *   <li>When the node of a primary left, or the primary failed, an active replica is promoted on
 *       its node at once, under the next term, see {@link Promotion}.
 *   <li>{@code index.number_of_replicas} follows the number of nodes if {@code
 *       index.auto_expand_replicas} is set.
 *   <li>A shard has as many replicas as {@code index.number_of_replicas}; of excess replicas,
 *       active ones are removed last.
 *   <li>An index in search-only mode has no primary and no replicas until its block is removed.
 *   <li>A copy whose node left stays assigned for a time that {@link NodeReturn} decides, or until
 *       another copy is active: its data folder may be the only one left.
 *   <li>An unassigned primary is assigned to a node with the role primary, under the next term.
 *   <li>An unassigned replica is assigned to a node with the role replica or, if there is none,
 *       with the role primary.
 *   <li>A search-only copy is assigned to a node with the role search, and is never promoted.
 *   <li>Relocations proceed as {@link RelocationSteps} decides.
 *   <li>{@link AllocationDeciders} prevent allocations, and require copies to leave their nodes.
 *   <li>When all copies are active, they are rebalanced, see {@link Rebalancing}.
 *   <li>The copies of a closed index are not changed.
 *   <li>A following index is pulled by a node with the role ccr, unless it is paused; when that
 *       node has left, another one pulls.
 * </ol>
 *
 * Of the eligible nodes, the one with the fewest copies is chosen, then the one with the smallest
 * id; for a primary, one of the oldest version, so that its replicas can be on any node.
 * Correctness never depends on the choice: a primary recovers from the log, the segment store or
 * another copy, or does not start, and a former primary that is still alive is fenced by the next
 * term.
 *
 * <p>INVARIANT: never two copies of a shard on one node; a term is assigned once.
 */
public final class Reconciler {

  /**
   * The leader's knowledge in addition to the cluster state.
   *
   * @param absentSinceMillis since when each node that copies wait for is absent
   * @param refused places where a copy failed recently
   * @param disks disk usage of the nodes that reported it
   */
  public record Situation(
      Map<String, Long> absentSinceMillis,
      Set<Place> refused,
      Map<String, DiskUsage> disks,
      long nowMillis) {
    public Situation {
      absentSinceMillis = Collections.unmodifiableSortedMap(new TreeMap<>(absentSinceMillis));
      refused = Collections.unmodifiableSet(new LinkedHashSet<>(refused));
      disks = Collections.unmodifiableSortedMap(new TreeMap<>(disks));
    }

    /** A situation in which no disk usage is known. */
    public Situation(Map<String, Long> absentSinceMillis, Set<Place> refused, long nowMillis) {
      this(absentSinceMillis, refused, Map.of(), nowMillis);
    }
  }

  /** A shard on a node. */
  public record Place(ShardId shard, String nodeId) {}

  private final Supplier<String> ids;
  private final ReplicaCount replicas;

  /**
   * @param ids supplies unique ids for copies
   */
  public Reconciler(Supplier<String> ids) {
    this.ids = ids;
    this.replicas = new ReplicaCount(ids);
  }

  /** The reason for which no copy may be rebalanced now, if any. */
  public static Optional<AllocationDeciders.Verdict> rebalancingObstacle(ClusterState state) {
    return Rebalancing.obstacle(state);
  }

  /** The id of the copy that would be rebalanced next. */
  public static Optional<String> nextRebalancing(ClusterState state, AllocationDeciders deciders) {
    return new Rebalancing(state, deciders).next().map(move -> move.copy().copyId());
  }

  /**
   * The next events; none if nothing needs to change. INVARIANT: after these events are applied,
   * the result is empty.
   */
  public List<ClusterEvent> reconcile(ClusterState state, Situation situation) {
    return new Round(state, situation).run();
  }

  /** The events so far, and the state with these events applied. */
  private final class Round {
    private final Situation situation;
    private final List<ClusterEvent> events = new ArrayList<>();
    private ClusterState state;
    private AllocationDeciders deciders;
    private @Nullable CopyTally tally;
    private @Nullable Map<String, Integer> pulledBy;

    Round(ClusterState state, Situation situation) {
      this.state = state;
      this.situation = situation;
      this.deciders = decidersOf(state);
    }

    List<ClusterEvent> run() {
      // Promotions come first, so that no replica is removed that a shard without a primary needs.
      forEachShard((index, shard) -> relocate(shard));
      forEachShard((index, shard) ->
          Promotion.next(state, shard, situation.refused()).ifPresent(event -> add(shard, event)));
      state.indices().values().stream()
          .filter(index -> !index.closed())
          .forEach(index -> ReplicaExpansion.change(state, index).ifPresent(this::add));
      forEachShard((index, shard) ->
          replicas.change(state, index, shard).ifPresent(event -> add(shard, event)));
      forEachShard(this::unassignOverdue);
      forEachShard((index, shard) -> assignPrimary(shard));
      forEachShard((index, shard) -> assignReplicas(shard));
      forEachShard((index, shard) -> moveAway(shard));
      rebalance();
      state.indices().values().forEach(this::assignFollow);
      return events;
    }

    private void relocate(ShardRouting shard) {
      for (Relocation moving : shard.relocations()) {
        RelocationSteps.next(state, state.shard(shard.shard()).orElseThrow(), moving)
            .ifPresent(event -> add(shard, event));
      }
    }

    private void unassignOverdue(IndexMetadata index, ShardRouting shard) {
      for (CopyRouting copy : shard.copies()) {
        if (copy.nodeId() == null
            || state.nodes().containsKey(copy.nodeId())
            || (copy.primary() && shard.handOver().isPresent())) {
          continue;
        }
        Long since = situation.absentSinceMillis().get(copy.nodeId());
        OptionalLong awaited = NodeReturn.awaitedMillis(state, index, shard, copy);
        if (since != null
            && awaited.isPresent()
            && situation.nowMillis() - since >= awaited.getAsLong()) {
          add(shard, new ClusterEvent.CopyUnassigned(shard.shard(), copy.copyId(), "NODE_LEFT"));
        }
      }
    }

    private void assignPrimary(ShardRouting shard) {
      if (shard.released() || shard.primary().state() != State.UNASSIGNED) {
        return;
      }
      choose(shard, shard.primary(), NodeInfo.PRIMARY)
          .ifPresent(nodeId ->
              add(
                  shard,
                  new ClusterEvent.PrimaryAssigned(
                      shard.shard(), ids.get(), nodeId, shard.newestTerm() + 1)));
    }

    private void assignReplicas(ShardRouting shard) {
      for (CopyRouting replica : shard.copies()) {
        if (replica.primary() || replica.state() != State.UNASSIGNED) {
          continue;
        }
        ShardRouting now = state.shard(shard.shard()).orElseThrow();
        place(now, replica)
            .ifPresent(nodeId ->
                add(
                    shard,
                    new ClusterEvent.ReplicaAssigned(
                        shard.shard(), replica.copyId(), ids.get(), nodeId)));
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

    /** Relocates copies that may not remain on their nodes, where another node may hold them. */
    private void moveAway(ShardRouting shard) {
      for (CopyRouting copy : shard.copies()) {
        if (!state.active(copy)
            || shard.relocationOf(copy.copyId()).isPresent()
            || deciders.mayRemain(shard, copy, state.nodes().get(copy.nodeId()))) {
          continue;
        }
        ShardRouting now = state.shard(shard.shard()).orElseThrow();
        place(now, copy).ifPresent(nodeId -> move(now, copy, nodeId));
      }
    }

    private void rebalance() {
      for (Optional<Rebalancing.Move> move = new Rebalancing(state, deciders).next();
          move.isPresent();
          move = new Rebalancing(state, deciders).next()) {
        move(move.get().shard(), move.get().copy(), move.get().nodeId());
      }
    }

    private void move(ShardRouting shard, CopyRouting copy, String nodeId) {
      add(
          shard,
          new ClusterEvent.RelocationStarted(shard.shard(), copy.copyId(), ids.get(), nodeId));
    }

    private AllocationDeciders decidersOf(ClusterState now) {
      return new AllocationDeciders(now, situation.refused(), situation.disks(), this::tally);
    }

    /** Counted when the first copy needs a place; from then on it follows the events. */
    private CopyTally tally() {
      CopyTally counted = tally;
      if (counted == null) {
        counted = CopyTally.of(state);
        tally = counted;
      }
      return counted;
    }

    /** The first node that may hold the copy: for a primary the oldest, then the emptiest. */
    private Optional<String> choose(ShardRouting shard, CopyRouting copy, String role) {
      if (RecoveryThrottle.isSourceBusy(state, shard, copy, tally())) {
        return Optional.empty();
      }
      Predicate<NodeInfo> free = node -> node.has(role) && deciders.allow(shard, copy, node);
      Stream<NodeInfo> emptiestFirst = tally().emptiestFirst().map(id -> state.nodes().get(id));
      Stream<NodeInfo> inOrder =
          copy.primary()
              ? emptiestFirst.sorted(Comparator.comparing(NodeInfo::readerVersion))
              : emptiestFirst;
      return inOrder.filter(free).map(NodeInfo::nodeId).findFirst();
    }

    private void assignFollow(IndexMetadata index) {
      FollowRelation follow = index.follow();
      if (follow == null || follow.paused() || index.closed() || canPull(follow.nodeId())) {
        return;
      }
      Map<String, Integer> pulls = pulls();
      Optional<String> puller =
          state.nodes().values().stream()
              .filter(node -> node.has(NodeInfo.CCR))
              .map(NodeInfo::nodeId)
              .min(
                  Comparator.comparingInt((String id) -> pulls.getOrDefault(id, 0))
                      .thenComparing(Comparator.naturalOrder()));
      if (puller.isPresent() || follow.nodeId() != null) {
        add(
            new ClusterEvent.FollowAssigned(
                index.uuid(), puller.orElse(null), follow.assignment() + 1));
        puller.ifPresent(nodeId -> pulls.merge(nodeId, 1, Integer::sum));
      }
    }

    private boolean canPull(@Nullable String nodeId) {
      return nodeId != null && state.node(nodeId).filter(n -> n.has(NodeInfo.CCR)).isPresent();
    }

    /** The number of indices that each node pulls. */
    private Map<String, Integer> pulls() {
      Map<String, Integer> counted = pulledBy;
      if (counted == null) {
        counted = new HashMap<>();
        for (IndexMetadata index : state.indices().values()) {
          FollowRelation follow = index.follow();
          if (follow != null && follow.nodeId() != null) {
            counted.merge(follow.nodeId(), 1, Integer::sum);
          }
        }
        pulledBy = counted;
      }
      return counted;
    }

    private void add(ShardRouting changed, ClusterEvent event) {
      ShardRouting before = state.shard(changed.shard()).orElseThrow();
      add(event);
      if (tally != null) {
        tally.replace(before, state.shard(changed.shard()).orElseThrow());
      }
    }

    private void add(ClusterEvent event) {
      events.add(event);
      state = state.apply(event);
      deciders = decidersOf(state);
    }

    private void forEachShard(BiConsumer<IndexMetadata, ShardRouting> action) {
      for (IndexMetadata index : state.indices().values()) {
        if (index.closed()) {
          continue;
        }
        index.shards().forEach(shard -> action.accept(index, shard));
      }
    }
  }
}
