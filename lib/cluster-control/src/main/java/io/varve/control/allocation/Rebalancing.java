package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
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
 * The next copy that should stand on an emptier node, so that the nodes for a kind of copy hold
 * about as many each.
 *
 * <p>Rule: a copy moves from a node to one that holds at least two copies less and may have it. Of
 * those that may move replicas go first, then those whose index is spread worse. With {@code
 * cluster.routing.allocation.balance.prefer_primary} the primaries alone are levelled first, and no
 * other move undoes that.
 *
 * <p>It ends: each move of the first kind makes the sum of the squares of the counts smaller and
 * that of the primaries no larger; each of the second kind makes the latter smaller.
 *
 * <p>Nothing moves while a copy has no place or has not started ({@code allow_rebalance}), nor
 * beyond {@code cluster_concurrent_rebalance} moves at a time.
 */
final class Rebalancing {

  /** A copy and where it should go. */
  record Move(ShardRouting shard, CopyRouting copy, String nodeId) {}

  private record Standing(IndexMetadata index, ShardRouting shard, CopyRouting copy) {}

  private final ClusterState state;
  private final AllocationDeciders deciders;
  private final List<Standing> standing;

  Rebalancing(ClusterState state, AllocationDeciders deciders) {
    this.state = state;
    this.deciders = deciders;
    this.standing =
        state.indices().values().stream()
            .filter(index -> !index.closed())
            .flatMap(index ->
                index.shards().stream()
                    .flatMap(shard ->
                        Candidate.staying(shard)
                            .filter(copy -> copy.nodeId() != null)
                            .map(copy -> new Standing(index, shard, copy))))
            .toList();
  }

  /** Why nothing may move now, if so. */
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
    Predicate<Standing> primaries = one -> one.copy().primary();
    Optional<Move> first =
        prefersPrimaries() ? levelling(counts(primaries), primaries) : Optional.empty();
    return first.or(() -> levelling(counts(one -> true), this::leavesPrimariesLevel));
  }

  private boolean prefersPrimaries() {
    return word(state, ClusterAllocationSettings.PREFER_PRIMARY).equals("true");
  }

  /** For those that are no primaries, or may move as primaries too. */
  private boolean leavesPrimariesLevel(Standing one) {
    return !(prefersPrimaries() && one.copy().primary());
  }

  private Map<String, Integer> counts(Predicate<Standing> counted) {
    Map<String, Integer> counts = new HashMap<>();
    state.nodes().values().stream()
        .filter(NodeInfo::holdsCopies)
        .forEach(node -> counts.put(node.nodeId(), 0));
    standing.stream()
        .filter(counted)
        .forEach(one -> counts.computeIfPresent(one.copy().nodeId(), (_, count) -> count + 1));
    return counts;
  }

  private Optional<Move> levelling(Map<String, Integer> counts, Predicate<Standing> movable) {
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
    return standing.stream()
        .filter(one -> one.copy().isOn(from))
        .filter(movable)
        .filter(one -> state.active(one.copy()))
        .filter(one -> one.shard().relocationTo(one.copy().copyId()).isEmpty())
        .filter(one -> isAtHome(one.copy(), target) && isEnabled(one))
        .sorted(
            Comparator.comparing((Standing one) -> one.copy().primary())
                .thenComparingLong(one -> ofIndex(one, to) - ofIndex(one, from))
                .thenComparing(one -> one.copy().copyId()))
        .filter(one -> deciders.allow(one.shard(), one.copy(), target))
        .findFirst()
        .map(one -> new Move(one.shard(), one.copy(), to));
  }

  /** Replicas come to nodes for primaries only where there are no others. */
  private boolean isAtHome(CopyRouting copy, NodeInfo node) {
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
    return standing.stream()
        .filter(other -> other.index().uuid().equals(one.index().uuid()))
        .filter(other -> other.copy().isOn(nodeId))
        .count();
  }
}
