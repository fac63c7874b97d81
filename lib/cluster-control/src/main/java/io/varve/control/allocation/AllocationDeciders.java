package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.names.Wildcard;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a copy may be allocated to a node, with the reason.
 *
 * <ul>
 *   <li>{@code node_role}: primaries need nodes with the role primary; replicas the role replica
 *       or, if no node has it, primary; search-only copies the role search
 *   <li>{@code same_shard}: never two copies of a shard on one node
 *   <li>{@code enable}: {@code cluster.routing.allocation.enable}, or the setting of the index,
 *       which overrides it
 *   <li>{@code filter}: {@code routing.allocation.include}, {@code exclude} and {@code require}, of
 *       the cluster and of the index, by {@code _name}, {@code _id}, {@code _ip}, {@code _host} or
 *       an attribute of nodes
 *   <li>{@code max_retry}: no copy is allocated for some time to a node where a copy of the shard
 *       failed recently
 *   <li>{@code node_version}, {@code awareness}, {@code shards_limit}, {@code disk_threshold},
 *       {@code throttling}: see {@link NodeVersionDecider}, {@link AwarenessDecider}, {@link
 *       ShardsLimitDecider}, {@link DiskDecider}, {@link RecoveryThrottle}
 * </ul>
 */
public final class AllocationDeciders {

  private static final String CLUSTER_FILTERS = "cluster.routing.allocation.";
  private static final String INDEX_FILTERS = "index.routing.allocation.";

  /** The answers, ordered from the most to the least permissive. */
  public enum Answer {
    YES,
    /** Not allowed now, because of other recoveries. */
    THROTTLE,
    NO
  }

  /** The answer of one decider. */
  public record Verdict(String decider, Answer answer, String explanation) {

    public Verdict(String decider, boolean yes, String explanation) {
      this(decider, yes ? Answer.YES : Answer.NO, explanation);
    }

    public boolean yes() {
      return answer == Answer.YES;
    }
  }

  private final ClusterState state;
  private final Set<Reconciler.Place> refused;
  private final Map<String, DiskUsage> disks;
  private final Supplier<CopyTally> tally;
  private final Map<String, String> clusterFilters;

  /**
   * @param refused places where a copy failed recently
   */
  public AllocationDeciders(ClusterState state, Set<Reconciler.Place> refused) {
    this(state, refused, Map.of());
  }

  /**
   * @param disks disk usage of the nodes that reported it, by node id
   */
  public AllocationDeciders(
      ClusterState state, Set<Reconciler.Place> refused, Map<String, DiskUsage> disks) {
    this(state, refused, disks, new CountedOnce(state));
  }

  AllocationDeciders(
      ClusterState state,
      Set<Reconciler.Place> refused,
      Map<String, DiskUsage> disks,
      Supplier<CopyTally> tally) {
    this.state = state;
    this.refused = refused;
    this.disks = disks;
    this.tally = tally;
    this.clusterFilters = new TreeMap<>(state.persistentSettings());
    clusterFilters.putAll(state.transientSettings());
    clusterFilters.keySet().removeIf(name -> !name.startsWith(CLUSTER_FILTERS));
  }

  /** Counts the copies of a state when they are needed for the first time. */
  private static final class CountedOnce implements Supplier<CopyTally> {
    private final ClusterState state;
    private @Nullable CopyTally counted;

    CountedOnce(ClusterState state) {
      this.state = state;
    }

    @Override
    public CopyTally get() {
      if (counted == null) {
        counted = CopyTally.of(state);
      }
      return counted;
    }
  }

  public boolean allow(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    return verdicts(shard, copy, node).stream().allMatch(Verdict::yes);
  }

  /** The verdict of each decider on allocating the copy to the node. */
  public List<Verdict> verdicts(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    Candidate place = new Candidate(state, shard, copy, node, tally);
    return List.of(
        role(copy, node),
        sameShard(shard, copy, node),
        enabled(shard, copy),
        filtered(shard, node),
        retried(shard, node),
        NodeVersionDecider.decide(place),
        AwarenessDecider.decide(place),
        ShardsLimitDecider.decide(place),
        DiskDecider.decide(place, disks.get(node.nodeId())),
        RecoveryThrottle.decide(place));
  }

  /** The verdict of each decider on whether the copy may remain on the node. */
  public List<Verdict> remaining(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    Candidate place = new Candidate(state, shard, copy, node, tally);
    return List.of(
        filtered(shard, node),
        AwarenessDecider.decide(place),
        ShardsLimitDecider.decide(place),
        DiskDecider.decide(place, disks.get(node.nodeId())));
  }

  public boolean mayRemain(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    return remaining(shard, copy, node).stream().allMatch(Verdict::yes);
  }

  /** Whether the node may hold copies of the index at all, by its role and the filters. */
  boolean admit(IndexMetadata index, NodeInfo node) {
    return (node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA))
        && objection(Optional.of(index), node).isEmpty();
  }

  private static Verdict role(CopyRouting copy, NodeInfo node) {
    boolean yes =
        copy.searchOnly()
            ? node.has(NodeInfo.SEARCH)
            : node.has(NodeInfo.PRIMARY) || (!copy.primary() && node.has(NodeInfo.REPLICA));
    return new Verdict(
        "node_role",
        yes,
        yes
            ? "the node holds copies of this kind"
            : "the node's roles are " + node.roles().stream().sorted().toList());
  }

  private Verdict sameShard(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    if ("true".equals(ClusterSettings.value(state, ClusterAllocationSettings.SAME_HOST))) {
      Optional<Verdict> host = sameHost(shard, copy, node);
      if (host.isPresent()) {
        return host.get();
      }
    }
    boolean itself = copy.isOn(node.nodeId());
    boolean other =
        shard.everywhere().stream()
            .anyMatch(c -> c.isOn(node.nodeId()) && !c.copyId().equals(copy.copyId()));
    return new Verdict(
        "same_shard",
        !itself && !other,
        itself
            ? "this shard is already allocated to this node"
            : other
                ? "a copy of this shard is already allocated to this node"
                : "this node does not hold a copy of this shard");
  }

  private Optional<Verdict> sameHost(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    return shard.everywhere().stream()
        .filter(other -> !other.copyId().equals(copy.copyId()) && other.nodeId() != null)
        .map(other -> state.nodes().get(other.nodeId()))
        .filter(other -> other != null && !other.nodeId().equals(node.nodeId()))
        .filter(other -> host(other).equals(host(node)))
        .findFirst()
        .map(other ->
            new Verdict(
                "same_shard",
                false,
                "a copy of this shard is already allocated to host address ["
                    + host(node)
                    + "], on node ["
                    + other.nodeId()
                    + "], and ["
                    + ClusterAllocationSettings.SAME_HOST
                    + "] is [true] which forbids more than one node on this host from holding a"
                    + " copy of this shard"));
  }

  private Verdict enabled(ShardRouting shard, CopyRouting copy) {
    Optional<String> ofIndex =
        index(shard).map(i -> i.settings().get(IndexSettings.ALLOCATION_ENABLE));
    String value = ofIndex.orElse(ClusterSettings.value(state, ClusterAllocationSettings.ENABLE));
    String word = value == null ? "all" : value.toLowerCase(Locale.ROOT);
    boolean yes =
        switch (word) {
          case "none" -> false;
          case "primaries" -> copy.primary();
          case "new_primaries" -> copy.primary() && shard.primaryTerm() == 0;
          default -> true;
        };
    return new Verdict(
        "enable",
        yes,
        (yes ? "allocations are allowed: [" : "no allocations are allowed: [")
            + (ofIndex.isPresent()
                ? IndexSettings.ALLOCATION_ENABLE
                : ClusterAllocationSettings.ENABLE)
            + "] is ["
            + word
            + "]");
  }

  private Optional<IndexMetadata> index(ShardRouting shard) {
    return state.index(shard.shard().indexUuid());
  }

  private Verdict filtered(ShardRouting shard, NodeInfo node) {
    Optional<String> objection = objection(index(shard), node);
    return new Verdict(
        "filter", objection.isEmpty(), objection.orElse("the node passes every filter"));
  }

  private Optional<String> objection(Optional<IndexMetadata> index, NodeInfo node) {
    return objection(CLUSTER_FILTERS, clusterFilters, node)
        .or(() -> index.flatMap(i -> objection(INDEX_FILTERS, i.settings(), node)));
  }

  private static Optional<String> objection(
      String prefix, Map<String, String> settings, NodeInfo node) {
    List<String> included = new ArrayList<>();
    boolean includes = false;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String name = setting.getKey();
      if (!name.startsWith(prefix) || setting.getValue().isBlank()) {
        continue;
      }
      String rest = name.substring(prefix.length());
      int dot = rest.indexOf('.');
      String kind = dot < 0 ? rest : rest.substring(0, dot);
      boolean met = dot > 0 && matches(node, rest.substring(dot + 1), setting.getValue(), kind);
      switch (kind) {
        case "exclude" -> {
          if (met) {
            return Optional.of("[" + name + "] excludes the node: " + setting.getValue());
          }
        }
        case "require" -> {
          if (!met) {
            return Optional.of("[" + name + "] is not met: " + setting.getValue());
          }
        }
        case "include" -> {
          includes |= met;
          included.add("[" + name + "]: " + setting.getValue());
        }
        default -> {}
      }
    }
    return included.isEmpty() || includes
        ? Optional.empty()
        : Optional.of("none of these is met: " + included);
  }

  private static boolean matches(NodeInfo node, String key, String values, String kind) {
    String found =
        switch (key) {
          case "_name" -> node.name();
          case "_id" -> node.nodeId();
          case "_ip", "_host" -> host(node);
          default -> node.attributes().getOrDefault(key, "");
        };
    List<String> wanted = Arrays.stream(values.split(",", -1)).map(String::strip).toList();
    return kind.equals("require")
        ? wanted.stream().allMatch(value -> Wildcard.matches(value, found))
        : wanted.stream().anyMatch(value -> Wildcard.matches(value, found));
  }

  private static String host(NodeInfo node) {
    String host = URI.create(node.url()).getHost();
    return host == null ? node.url() : host;
  }

  private Verdict retried(ShardRouting shard, NodeInfo node) {
    boolean yes = !refused.contains(new Reconciler.Place(shard.shard(), node.nodeId()));
    return new Verdict(
        "max_retry",
        yes,
        yes
            ? "no copy of the shard failed on the node recently"
            : "a copy of the shard failed on the node recently; reroute with"
                + " [retry_failed=true] tries again at once");
  }
}
