package io.varve.cluster;

import io.varve.cluster.CopyRouting.State;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 *   <li>A shard has as many copies as {@code index.number_of_replicas} says; of those too many the
 *       ones that serve go last.
 *   <li>When the node of a primary left, or the primary failed, a replica that serves becomes the
 *       primary where it stands, at once and under the next term.
 *   <li>A copy whose node left keeps its place for {@code
 *       index.unassigned.node_left.delayed_timeout}, then it is unassigned.
 *   <li>An unassigned primary goes to a node with the role primary, under the next term.
 *   <li>An unassigned replica goes to a node with the role replica, without one to a node with the
 *       role primary.
 *   <li>What {@link AllocationDeciders} keep from a node doesn't go there.
 *   <li>The copies of a closed index are left where they are.
 *   <li>An index that follows another is pulled by a node with the role ccr, from the moment on at
 *       which its node is gone by another one.
 * </ol>
 *
 * Of the nodes that may have a copy the one with the fewest copies gets it, then the one with the
 * smallest id. Correctness never depends on the choice: a primary rebuilds itself from the log, and
 * one that is still alive somewhere is fenced off by the next term.
 *
 * <p>INVARIANT: never two copies of a shard on one node; a term is given once.
 */
public final class Reconciler {

  /**
   * What the leader knows beside the state.
   *
   * @param absentSinceMillis for each node that copies wait for, when it was missed first
   * @param refused places where a copy failed a short while ago
   */
  public record Situation(Map<String, Long> absentSinceMillis, Set<Place> refused, long nowMillis) {
    public Situation {
      absentSinceMillis = Map.copyOf(absentSinceMillis);
      refused = Set.copyOf(refused);
    }
  }

  /** A shard on a node. */
  public record Place(ShardId shard, String nodeId) {}

  private final Supplier<String> ids;

  /** {@code ids} gives ids for copies, never the same twice. */
  public Reconciler(Supplier<String> ids) {
    this.ids = ids;
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
      forEachShard(this::adjustReplicas);
      forEachShard((index, shard) -> promote(shard));
      forEachShard(this::unassignOverdue);
      forEachCopy(copy -> {
        if (copy.nodeId() != null) {
          copiesOnNode.merge(copy.nodeId(), 1, Integer::sum);
        }
      });
      forEachShard((index, shard) -> assignPrimary(shard));
      forEachShard((index, shard) -> assignReplicas(shard));
      state.indices().values().forEach(this::assignFollow);
      return events;
    }

    private void adjustReplicas(IndexMetadata index, ShardRouting shard) {
      int wanted = index.numberOfReplicas();
      if (shard.replicas().size() == wanted) {
        return;
      }
      List<CopyRouting> copies = new ArrayList<>(List.of(shard.primary()));
      shard.replicas().stream()
          .sorted(Comparator.comparing(CopyRouting::state).reversed())
          .limit(wanted)
          .forEach(copies::add);
      while (copies.size() <= wanted) {
        copies.add(CopyRouting.unassigned(ids.get(), false, "REPLICA_ADDED"));
      }
      add(new ClusterEvent.CopiesChanged(shard.shard(), copies));
    }

    private void promote(ShardRouting shard) {
      CopyRouting primary = shard.primary();
      if (primary.nodeId() != null && state.nodes().containsKey(primary.nodeId())) {
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
                      shard.primaryTerm() + 1,
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
        if (copy.nodeId() == null || state.nodes().containsKey(copy.nodeId())) {
          continue;
        }
        Long since = situation.absentSinceMillis().get(copy.nodeId());
        if (since != null && situation.nowMillis() - since >= delayMillis) {
          add(new ClusterEvent.CopyUnassigned(shard.shard(), copy.copyId(), "NODE_LEFT"));
        }
      }
    }

    private void assignPrimary(ShardRouting shard) {
      if (shard.primary().state() != State.UNASSIGNED) {
        return;
      }
      choose(shard, shard.primary(), NodeInfo.PRIMARY)
          .ifPresent(nodeId -> {
            add(
                new ClusterEvent.PrimaryAssigned(
                    shard.shard(), ids.get(), nodeId, shard.primaryTerm() + 1));
            copiesOnNode.merge(nodeId, 1, Integer::sum);
          });
    }

    private void assignReplicas(ShardRouting shard) {
      for (CopyRouting replica : shard.replicas()) {
        if (replica.state() != State.UNASSIGNED) {
          continue;
        }
        ShardRouting now = state.shard(shard.shard()).orElseThrow();
        choose(now, replica, NodeInfo.REPLICA)
            .or(() -> choose(now, replica, NodeInfo.PRIMARY))
            .ifPresent(nodeId -> {
              add(
                  new ClusterEvent.ReplicaAssigned(
                      shard.shard(), replica.copyId(), ids.get(), nodeId));
              copiesOnNode.merge(nodeId, 1, Integer::sum);
            });
      }
    }

    private Optional<String> choose(ShardRouting shard, CopyRouting copy, String role) {
      AllocationDeciders deciders = new AllocationDeciders(state, situation.refused());
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

    private void forEachCopy(Consumer<CopyRouting> action) {
      forEachShard((index, shard) -> shard.copies().forEach(action));
    }
  }
}
