package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Chooses the next copy to relocate to a node with fewer copies, so that the eligible nodes hold
 * similar numbers of copies.
 *
 * <p>Rule: a copy relocates to a node that may hold it and has at least two copies fewer. Replicas
 * move first, then copies of the index with the most uneven distribution. With {@code
 * cluster.routing.allocation.balance.prefer_primary} primaries are balanced first, and no other
 * move undoes that.
 *
 * <p>It terminates: each move of the first kind decreases the sum of the squared counts and does
 * not increase that of the primaries; each move of the second kind decreases the latter.
 *
 * <p>Nothing moves while a copy is unassigned or not started ({@code allow_rebalance}), nor beyond
 * {@code cluster_concurrent_rebalance} moves at a time.
 */
final class Rebalancing {

  /** A copy and its new node. */
  record Move(ShardRouting shard, CopyRouting copy, String nodeId) {}

  private record Standing(IndexMetadata index, ShardRouting shard, CopyRouting copy) {}

  private final ClusterState state;
  private final AllocationDeciders deciders;
  private final Map<String, Long> ofIndexOnNode = new HashMap<>();
  private Map<String, List<Standing>> byNode = Map.of();

  Rebalancing(ClusterState state, AllocationDeciders deciders) {
    this.state = state;
    this.deciders = deciders;
  }

  /** The copies of open indices, and the targets of relocations in place of their sources. */
  private Map<String, List<Standing>> standing() {
    Map<String, List<Standing>> standing = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      if (index.closed()) {
        continue;
      }
      for (ShardRouting shard : index.shards()) {
        Candidate.staying(shard)
            .filter(copy -> copy.nodeId() != null)
            .forEach(copy ->
                standing
                    .computeIfAbsent(copy.nodeId(), _ -> new ArrayList<>())
                    .add(new Standing(index, shard, copy)));
      }
    }
    return standing;
  }

  /** The reason for which no copy may be relocated now, if any. */
  static Optional<AllocationDeciders.Verdict> obstacle(ClusterState state) {
    String allowed = word(state, ClusterAllocationSettings.ALLOW_REBALANCE);
    boolean primariesOnly = allowed.equals("indices_primaries_active");
    boolean all =
        allowed.equals("always")
            || open(state)
                .flatMap(
                    shard -> primariesOnly ? Stream.of(shard.primary()) : shard.copies().stream())
                .allMatch(state::active);
    if (!all) {
      return no(
          "cluster_rebalance",
          "the cluster has "
              + (primariesOnly ? "inactive primary" : "unassigned or inactive")
              + " shards and cluster setting ["
              + ClusterAllocationSettings.ALLOW_REBALANCE
              + "] is set to ["
              + allowed
              + "]");
    }
    long moving = open(state).mapToLong(shard -> shard.relocations().size()).sum();
    int limit =
        Integer.parseInt(
            String.valueOf(
                ClusterSettings.value(state, ClusterAllocationSettings.CONCURRENT_REBALANCES)));
    return limit >= 0 && moving >= limit
        ? no(
            "concurrent_rebalance",
            "reached the limit of concurrently rebalancing shards ["
                + moving
                + "], cluster setting ["
                + ClusterAllocationSettings.CONCURRENT_REBALANCES
                + "="
                + limit
                + "]")
        : Optional.empty();
  }

  private static Stream<ShardRouting> open(ClusterState state) {
    return state.indices().values().stream()
        .filter(index -> !index.closed())
        .flatMap(index -> index.shards().stream());
  }

  private static Optional<AllocationDeciders.Verdict> no(String decider, String why) {
    return Optional.of(new AllocationDeciders.Verdict(decider, false, why));
  }

  private static String word(ClusterState state, String setting) {
    return String.valueOf(ClusterSettings.value(state, setting)).toLowerCase(Locale.ROOT);
  }

  Optional<Move> next() {
    if (obstacle(state).isPresent()) {
      return Optional.empty();
    }
    byNode = standing();
    Predicate<Standing> primaries = one -> one.copy().primary();
    Optional<Move> first =
        prefersPrimaries() ? nextMove(counts(primaries), primaries) : Optional.empty();
    return first.or(() -> nextMove(counts(one -> true), this::keepsPrimariesBalanced));
  }

  private boolean prefersPrimaries() {
    return word(state, ClusterAllocationSettings.PREFER_PRIMARY).equals("true");
  }

  /** Whether relocating the copy cannot undo the balance of primaries. */
  private boolean keepsPrimariesBalanced(Standing one) {
    return !(prefersPrimaries() && one.copy().primary());
  }

  private Map<String, Integer> counts(Predicate<Standing> counted) {
    Map<String, Integer> counts = new HashMap<>();
    state.nodes().values().stream()
        .filter(NodeInfo::holdsCopies)
        .map(NodeInfo::nodeId)
        .forEach(node -> counts.put(node, (int) on(node).stream().filter(counted).count()));
    return counts;
  }

  private List<Standing> on(String nodeId) {
    return byNode.getOrDefault(nodeId, List.of());
  }

  private Optional<Move> nextMove(Map<String, Integer> counts, Predicate<Standing> movable) {
    List<String> emptiest =
        counts.keySet().stream()
            .sorted(
                Comparator.comparing((String id) -> counts.get(id))
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    for (String from : emptiest.reversed()) {
      for (String to : emptiest) {
        if (counts.get(from) - counts.get(to) < 2) {
          break;
        }
        Optional<Move> move = move(from, to, movable);
        if (move.isPresent()) {
          return move;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Move> move(String from, String to, Predicate<Standing> movable) {
    NodeInfo target = Objects.requireNonNull(state.nodes().get(to), to);
    return on(from).stream()
        .filter(movable)
        .filter(one -> state.active(one.copy()))
        .filter(one -> one.shard().relocationTo(one.copy().copyId()).isEmpty())
        .filter(one -> isPreferred(one.copy(), target) && isEnabled(one))
        .sorted(
            Comparator.comparing((Standing one) -> one.copy().primary())
                .thenComparingLong(one -> ofIndex(one, to) - ofIndex(one, from))
                .thenComparing(one -> one.copy().copyId()))
        .filter(one -> deciders.allow(one.shard(), one.copy(), target))
        .findFirst()
        .map(one -> new Move(one.shard(), one.copy(), to));
  }

  /** Replicas use nodes with the role primary only if there are no nodes with the role replica. */
  private boolean isPreferred(CopyRouting copy, NodeInfo node) {
    if (copy.searchOnly()) {
      return node.has(NodeInfo.SEARCH);
    }
    boolean replicaNodes = state.nodes().values().stream().anyMatch(n -> n.has(NodeInfo.REPLICA));
    return node.has(!copy.primary() && replicaNodes ? NodeInfo.REPLICA : NodeInfo.PRIMARY);
  }

  private boolean isEnabled(Standing one) {
    String own = one.index().settings().get(IndexSettings.REBALANCE_ENABLE);
    String word =
        own == null
            ? word(state, ClusterAllocationSettings.REBALANCE_ENABLE)
            : own.toLowerCase(Locale.ROOT);
    return switch (word) {
      case "none" -> false;
      case "primaries" -> one.copy().primary();
      case "replicas" -> !one.copy().primary();
      default -> true;
    };
  }

  private long ofIndex(Standing one, String nodeId) {
    String uuid = one.index().uuid();
    return ofIndexOnNode.computeIfAbsent(
        uuid + '/' + nodeId,
        _ -> on(nodeId).stream().filter(other -> other.index().uuid().equals(uuid)).count());
  }
}
