package io.varve.coordinator.rest.cluster;

import static io.varve.coordinator.rest.JsonObjects.object;

import io.varve.cluster.AllocationDeciders;
import io.varve.cluster.AllocationDeciders.Verdict;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.HumanText;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestMethod;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.coordinator.rest.shard.NodeReader;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.NodeFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cluster/allocation/explain}: why a copy is where it is, or why it has no place. Asks the
 * very deciders by which the leader gives places.
 */
public final class AllocationExplainEndpoint implements RestEndpoint {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Set<String> FIELDS = Set.of("index", "shard", "primary", "current_node");

  private final ClusterAccess cluster;
  private final NodeReader nodes;
  private final CopyReader copies;
  private final UnassignedTimes times;

  public AllocationExplainEndpoint(
      ClusterAccess cluster, NodeReader nodes, CopyReader copies, UnassignedTimes times) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.copies = copies;
    this.times = times;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.GET, RestMethod.POST), "/_cluster/allocation/explain");
  }

  /** Which copy is asked for; all null for any that has no place. */
  private record Wish(
      @Nullable String index,
      @Nullable Integer shard,
      @Nullable Boolean primary,
      @Nullable String currentNode) {}

  /** A copy and what it is of. */
  private record Subject(IndexMetadata index, ShardRouting shard, CopyRouting copy) {}

  @Override
  public RestAction prepare(RestRequest request) {
    boolean disks = request.flag("include_disk_info", false);
    boolean yesToo = request.flag("include_yes_decisions", false);
    Wish wish = wish(request.bodyAsMap());
    return responder -> {
      ClusterState state = cluster.state();
      Subject subject = subject(state, wish);
      Map<String, Object> answer = explained(state, subject, yesToo);
      if (disks) {
        answer.put("cluster_info", clusterInfo(state, subject.index()));
      }
      responder.json(200, answer);
    };
  }

  private static Wish wish(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!FIELDS.contains(key)) {
        throw new ApiException(
            400,
            "x_content_parse_exception",
            "[cluster/allocation/explain] unknown field [" + key + "]");
      }
    }
    Object index = body.get("index");
    Object shard = body.get("shard");
    Object primary = body.get("primary");
    Object node = body.get("current_node");
    if (body.isEmpty()) {
      return new Wish(null, null, null, null);
    }
    if (index == null || shard == null || primary == null) {
      List<String> missing = new ArrayList<>();
      if (index == null) {
        missing.add("index must be specified");
      }
      if (shard == null) {
        missing.add("shard must be specified");
      }
      if (primary == null) {
        missing.add("primary must be specified");
      }
      throw new ApiException(ErrorBodies.validation(missing));
    }
    if (!shard.toString().matches("\\d{1,9}")) {
      throw illegal("[shard] must be a number, was [" + shard + "]");
    }
    return new Wish(
        index.toString(),
        Integer.valueOf(shard.toString()),
        "true".equals(primary.toString()),
        node == null ? null : node.toString());
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  private static Subject subject(ClusterState state, Wish wish) {
    String name = wish.index();
    if (name == null) {
      return anyUnassigned(state);
    }
    IndexMetadata index = state.indices().get(name);
    if (index == null) {
      throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
    }
    int number = wish.shard() == null ? 0 : wish.shard();
    if (number >= index.numberOfShards()) {
      throw new ApiException(404, "shard_not_found_exception", "no such shard");
    }
    ShardRouting shard = index.shard(number);
    if (Boolean.TRUE.equals(wish.primary())) {
      return new Subject(index, shard, shard.primary());
    }
    Optional<CopyRouting> replica =
        shard.replicas().stream()
            .filter(copy -> wish.currentNode() == null || copy.isOn(wish.currentNode()))
            .min((a, b) -> Boolean.compare(isPlaced(state, a), isPlaced(state, b)));
    return replica
        .map(copy -> new Subject(index, shard, copy))
        .orElseThrow(() ->
            illegal(
                "unable to find a replica shard assigned to node [" + wish.currentNode() + "]"));
  }

  private static boolean isPlaced(ClusterState state, CopyRouting copy) {
    return copy.nodeId() != null && state.nodes().containsKey(copy.nodeId());
  }

  /** Primaries first. */
  private static Subject anyUnassigned(ClusterState state) {
    Subject found = null;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (!isPlaced(state, copy) && (found == null || copy.primary())) {
            if (copy.primary()) {
              return new Subject(index, shard, copy);
            }
            found = new Subject(index, shard, copy);
          }
        }
      }
    }
    if (found == null) {
      throw illegal(
          "unable to find any unassigned shards to explain"
              + " [ClusterAllocationExplainRequest[useAnyUnassignedShard=true]");
    }
    return found;
  }

  private Map<String, Object> explained(ClusterState state, Subject subject, boolean yesToo) {
    CopyRouting copy = subject.copy();
    boolean placed = isPlaced(state, copy);
    Map<String, Object> answer =
        object(
            "index", subject.index().name(),
            "shard", subject.shard().shard().number(),
            "primary", copy.primary(),
            "current_state", placed ? word(copy) : "unassigned");
    List<Map<String, Object>> decisions = decisions(state, subject, yesToo);
    if (placed) {
      putPlaced(answer, state, copy);
    } else {
      putUnassigned(answer, state, subject);
    }
    answer.put("node_allocation_decisions", decisions);
    return answer;
  }

  private static String word(CopyRouting copy) {
    return copy.started() ? "started" : "initializing";
  }

  private static void putPlaced(Map<String, Object> answer, ClusterState state, CopyRouting copy) {
    NodeInfo node = state.nodes().get(String.valueOf(copy.nodeId()));
    if (node != null) {
      Map<String, Object> current = AllocationJson.node(node, "");
      current.put("weight_ranking", ranking(state, node));
      answer.put("current_node", current);
    }
    String why = "copies stay where they are unless somebody moves them or their node leaves";
    answer.put("can_remain_on_current_node", "yes");
    answer.put("can_rebalance_cluster", "no");
    answer.put(
        "can_rebalance_cluster_decisions",
        List.of(AllocationJson.verdict(new Verdict("rebalance", false, why))));
    answer.put("can_rebalance_to_other_node", "no");
    answer.put("rebalance_explanation", why);
  }

  private void putUnassigned(Map<String, Object> answer, ClusterState state, Subject subject) {
    CopyRouting copy = subject.copy();
    boolean delayed = copy.nodeId() != null;
    boolean possible =
        state.nodes().values().stream()
            .anyMatch(node -> deciders(state).allow(subject.shard(), copy, node));
    Map<String, Object> info =
        object(
            "reason",
            UnassignedTimes.reason(copy),
            "at",
            HumanText.date(times.since(copy.copyId()).orElse(subject.index().createdMillis())));
    String details = UnassignedTimes.details(copy);
    if (!details.isEmpty()) {
      info.put("details", details);
    }
    info.put("last_allocation_status", delayed ? "delayed_allocation" : "no_attempt");
    answer.put("unassigned_info", info);
    answer.put("can_allocate", delayed ? "allocation_delayed" : possible ? "yes" : "no");
    answer.put(
        "allocate_explanation",
        delayed
            ? "the node that holds the copy left a short while ago; it is waited for"
            : possible
                ? "can allocate the shard"
                : "cannot allocate because allocation is not permitted to any of the nodes");
    if (delayed) {
      answer.put(
          "configured_delay_in_millis",
          IndexSettings.delayedTimeoutMillis(subject.index().settings()));
    }
  }

  /** Which places failed is the leader's own knowledge; it forgets it within a minute. */
  private static AllocationDeciders deciders(ClusterState state) {
    return new AllocationDeciders(state, Set.of());
  }

  private static List<Map<String, Object>> decisions(
      ClusterState state, Subject subject, boolean yesToo) {
    List<Map<String, Object>> decisions = new ArrayList<>();
    for (NodeInfo node : state.nodes().values()) {
      if (!NodeFilter.holdsCopies(node) || subject.copy().isOn(node.nodeId())) {
        continue;
      }
      List<Verdict> verdicts = deciders(state).verdicts(subject.shard(), subject.copy(), node);
      boolean yes = verdicts.stream().allMatch(Verdict::yes);
      Map<String, Object> shown = AllocationJson.node(node, "node_");
      shown.put("node_decision", yes ? "yes" : "no");
      shown.put("weight_ranking", ranking(state, node));
      shown.put(
          "deciders",
          verdicts.stream()
              .filter(verdict -> yesToo || !verdict.yes())
              .map(AllocationJson::verdict)
              .toList());
      decisions.add(shown);
    }
    return decisions;
  }

  /** 1 for the node with the fewest copies, which is the one that is chosen first. */
  private static long ranking(ClusterState state, NodeInfo node) {
    long own = copiesOn(state, node);
    return 1
        + state.nodes().values().stream()
            .filter(NodeFilter::holdsCopies)
            .filter(other -> copiesOn(state, other) < own)
            .count();
  }

  private static long copiesOn(ClusterState state, NodeInfo node) {
    return state.indices().values().stream()
        .flatMap(index -> index.shards().stream())
        .flatMap(shard -> shard.copies().stream())
        .filter(copy -> copy.isOn(node.nodeId()))
        .count();
  }

  private Map<String, Object> clusterInfo(ClusterState state, IndexMetadata index)
      throws InterruptedException {
    Map<String, Object> byNode = new LinkedHashMap<>();
    List<NodeInfo> holding =
        NodeFilter.select(cluster, null).stream().filter(NodeFilter::holdsCopies).toList();
    for (NodeReader.Answer answer : nodes.read(holding, TIMEOUT)) {
      NodeFigures said = answer.figures();
      if (said != null) {
        Map<String, Object> usage = usage(said);
        byNode.put(
            answer.node().nodeId(),
            object(
                "node_name", answer.node().name(),
                "least_available", usage,
                "most_available", usage));
      }
    }
    Map<String, Object> sizes = new LinkedHashMap<>();
    Map<String, Object> paths = new LinkedHashMap<>();
    for (CopyReader.Answer<CopyStats> answer : copies.stats(state, List.of(index))) {
      answer
          .figures()
          .ifPresent(stats -> {
            String name =
                "["
                    + index.name()
                    + "]["
                    + answer.copy().shard().number()
                    + "]["
                    + (answer.primary() ? "p" : "r")
                    + "]";
            sizes.put(name + "_bytes", stats.storeBytes());
            paths.put(name + "[" + answer.copy().node().nodeId() + "]", stats.dataPath());
          });
    }
    return object(
        "nodes", byNode,
        "shard_sizes", sizes,
        "shard_paths", paths,
        "reserved_sizes", List.of());
  }

  private static Map<String, Object> usage(NodeFigures said) {
    double total = said.number(0, "fs", "total", "total_in_bytes");
    double free = said.number(0, "fs", "total", "available_in_bytes");
    Object path =
        said.stats("fs").get("data") instanceof List<?> folders
                && !folders.isEmpty()
                && folders.getFirst() instanceof Map<?, ?> folder
            ? folder.get("path")
            : "";
    double freePercent = total <= 0 ? 0 : Math.round(1000 * free / total) / 10.0;
    return object(
        "path",
        path,
        "total_bytes",
        (long) total,
        "used_bytes",
        (long) (total - free),
        "free_bytes",
        (long) free,
        "free_disk_percent",
        freePercent,
        "used_disk_percent",
        Math.round(10 * (100 - freePercent)) / 10.0);
  }
}
