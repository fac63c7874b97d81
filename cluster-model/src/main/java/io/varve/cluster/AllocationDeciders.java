package io.varve.cluster;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a copy may go to a node, and why not.
 *
 * <ul>
 *   <li>{@code node_role}: primaries are for nodes with the role primary; replicas for those with
 *       the role replica, or else primary
 *   <li>{@code same_shard}: never two copies of a shard on one node
 *   <li>{@code enable}: {@code cluster.routing.allocation.enable}, or what the index says instead
 *   <li>{@code filter}: {@code routing.allocation.include}, {@code exclude} and {@code require}, of
 *       the cluster and of the index, by {@code _name}, {@code _id}, {@code _ip}, {@code _host} or
 *       an attribute of nodes
 *   <li>{@code max_retry}: a place where a copy failed a short while ago is left alone for a while
 * </ul>
 */
public final class AllocationDeciders {

  public static final String ENABLE = "cluster.routing.allocation.enable";
  public static final String INDEX_ENABLE = "index.routing.allocation.enable";
  private static final String CLUSTER_FILTERS = "cluster.routing.allocation.";
  private static final String INDEX_FILTERS = "index.routing.allocation.";

  /** What one of the deciders says. */
  public record Verdict(String decider, boolean yes, String explanation) {}

  private final ClusterState state;
  private final Set<Reconciler.Place> refused;

  /** {@code refused} are places where a copy failed a short while ago. */
  public AllocationDeciders(ClusterState state, Set<Reconciler.Place> refused) {
    this.state = state;
    this.refused = refused;
  }

  public boolean allow(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    return verdicts(shard, copy, node).stream().allMatch(Verdict::yes);
  }

  /** One of each decider. */
  public List<Verdict> verdicts(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    return List.of(
        role(copy, node),
        sameShard(shard, copy, node),
        enabled(shard, copy),
        filtered(shard, node),
        retried(shard, node));
  }

  private static Verdict role(CopyRouting copy, NodeInfo node) {
    boolean yes = node.has(NodeInfo.PRIMARY) || (!copy.primary() && node.has(NodeInfo.REPLICA));
    return new Verdict(
        "node_role",
        yes,
        yes
            ? "the node holds copies of this kind"
            : "the node's roles are " + node.roles().stream().sorted().toList());
  }

  private static Verdict sameShard(ShardRouting shard, CopyRouting copy, NodeInfo node) {
    boolean itself = copy.isOn(node.nodeId());
    boolean other =
        shard.copies().stream()
            .anyMatch(c -> c.isOn(node.nodeId()) && !c.copyId().equals(copy.copyId()));
    return new Verdict(
        "same_shard",
        !itself && !other,
        itself
            ? "this copy of the shard is already on the node"
            : other
                ? "another copy of this shard is already on the node"
                : "the node has no copy of this shard");
  }

  private Verdict enabled(ShardRouting shard, CopyRouting copy) {
    Optional<String> ofIndex = index(shard).map(i -> i.settings().get(INDEX_ENABLE));
    String value = ofIndex.orElse(ClusterSettings.value(state, ENABLE));
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
            + (ofIndex.isPresent() ? INDEX_ENABLE : ENABLE)
            + "] is ["
            + word
            + "]");
  }

  private Optional<IndexMetadata> index(ShardRouting shard) {
    return state.index(shard.shard().indexUuid());
  }

  private Verdict filtered(ShardRouting shard, NodeInfo node) {
    Map<String, String> settings = new TreeMap<>(state.persistentSettings());
    settings.putAll(state.transientSettings());
    Optional<String> objection =
        objection(CLUSTER_FILTERS, settings, node)
            .or(() -> index(shard).flatMap(i -> objection(INDEX_FILTERS, i.settings(), node)));
    return new Verdict(
        "filter", objection.isEmpty(), objection.orElse("the node passes every filter"));
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
            return Optional.of("[" + name + "] keeps copies away: " + setting.getValue());
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
        ? wanted.stream().allMatch(value -> matches(value, found))
        : wanted.stream().anyMatch(value -> matches(value, found));
  }

  private static String host(NodeInfo node) {
    String host = URI.create(node.url()).getHost();
    return host == null ? node.url() : host;
  }

  private static boolean matches(String pattern, String text) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(text);
    }
    String rest = pattern.substring(star + 1);
    return text.startsWith(pattern.substring(0, star))
        && (rest.isEmpty() || anyTail(rest, text.substring(star)));
  }

  private static boolean anyTail(String pattern, String text) {
    for (int i = 0; i <= text.length(); i++) {
      if (matches(pattern, text.substring(i))) {
        return true;
      }
    }
    return false;
  }

  private Verdict retried(ShardRouting shard, NodeInfo node) {
    boolean yes = !refused.contains(new Reconciler.Place(shard.shard(), node.nodeId()));
    return new Verdict(
        "max_retry",
        yes,
        yes
            ? "no copy of the shard failed on the node a short while ago"
            : "a copy of the shard failed on the node a short while ago; reroute with"
                + " [retry_failed=true] tries again at once");
  }
}
