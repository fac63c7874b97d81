package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.rest.HumanText;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code _nodes/stats}: statistics of the nodes and of the copies on them. */
public final class NodesStatsEndpoint implements RestEndpoint {

  /** The sections that nodes report, keyed by the metric that selects them. */
  private static final Map<String, String> SECTIONS = new LinkedHashMap<>();

  /** Metrics that are accepted although Varve has no statistics for them. */
  private static final List<String> ELSEWHERE =
      List.of(
          "script",
          "script_cache",
          "shard_indexing_pressure",
          "search_backpressure",
          "cluster_manager_throttling",
          "weighted_routing",
          "file_cache",
          "task_cancellation",
          "search_pipeline",
          "resource_usage_stats",
          "repositories",
          "admission_control",
          "caches",
          "remote_store");

  static {
    for (String name : List.of("os", "process", "jvm", "thread_pool", "fs", "transport", "http")) {
      SECTIONS.put(name, name);
    }
    SECTIONS.put("breaker", "breakers");
    for (String name :
        List.of(
            "discovery",
            "ingest",
            "adaptive_selection",
            "indexing_pressure",
            "segment_replication_backpressure",
            "rereplication")) {
      SECTIONS.put(name, name);
    }
  }

  private final ClusterAccess cluster;
  private final CopyReader copies;
  private final NodeReader nodes;

  public NodesStatsEndpoint(ClusterAccess cluster, CopyReader copies, NodeReader nodes) {
    this.cluster = cluster;
    this.copies = copies;
    this.nodes = nodes;
  }

  @Override
  public List<Route> routes() {
    return Route.get(
        "/_nodes/stats",
        "/_nodes/stats/{metric}",
        "/_nodes/stats/{metric}/{index_metric}",
        "/_nodes/{node_id}/stats",
        "/_nodes/{node_id}/stats/{metric}",
        "/_nodes/{node_id}/stats/{metric}/{index_metric}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("node_id");
    Set<String> metrics = metrics(request);
    if (request.has("index_metric") && !metrics.contains("indices")) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "request ["
                  + request.path()
                  + "] contains index metrics ["
                  + request.param("index_metric")
                  + "] but indices stats not requested"));
    }
    StatsRequest wanted =
        StatsRequest.of(request, "index_metric", List.of("node", "indices", "shards"), "node");
    boolean human = request.flag("human", false);
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    return responder -> {
      ClusterState state = cluster.state();
      List<NodeReader.Answer> answers = nodes.read(NodeFilter.select(cluster, expression), timeout);
      StatsReport report =
          metrics.contains("indices")
              ? StatsReport.read(cluster, state, state.indices().values(), copies, wanted)
              : null;
      Map<String, Object> byId = new LinkedHashMap<>();
      for (NodeReader.Answer answer : answers) {
        if (answer.details() != null) {
          byId.put(
              answer.node().nodeId(),
              node(state, answer.node(), answer.details(), report, metrics, wanted));
        }
      }
      Map<String, Object> shown = NodesAnswer.of(state.clusterName(), answers, byId);
      responder.json(200, human ? HumanText.of(shown) : shown);
    };
  }

  private static Set<String> metrics(RestRequest request) {
    List<String> known = new ArrayList<>(SECTIONS.keySet());
    known.add("indices");
    Set<String> asked = new HashSet<>(request.list("metric"));
    if (asked.isEmpty() || asked.equals(Set.of("_all"))) {
      return Set.copyOf(known);
    }
    if (asked.contains("_all")) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "request ["
                  + request.path()
                  + "] contains _all and individual metrics ["
                  + request.param("metric")
                  + "]"));
    }
    known.addAll(ELSEWHERE);
    StatsRequest.requireKnown(request, asked, known, "metric");
    return asked;
  }

  private static Map<String, Object> node(
      ClusterState state,
      NodeInfo node,
      NodeDetails details,
      @Nullable StatsReport report,
      Set<String> metrics,
      StatsRequest wanted) {
    Map<String, Object> shown = object("timestamp", details.stats().get("timestamp"));
    shown.putAll(NodeFilter.identity(node));
    shown.put("roles", NodeFilter.roles(node));
    shown.put("attributes", NodeFilter.attributes(node));
    if (report != null) {
      shown.put("indices", indices(state, node, report, wanted));
    }
    SECTIONS.forEach((name, section) -> {
      if (metrics.contains(name)) {
        shown.put(section, section(section, state, details));
      }
    });
    return shown;
  }

  private static Object section(String section, ClusterState state, NodeDetails details) {
    Object reported = details.stats().get(section);
    if (reported != null) {
      return reported;
    }
    return switch (section) {
      case "discovery" -> discovery(state);
      case "ingest" ->
          object(
              "total",
              object("count", 0, "time_in_millis", 0, "current", 0, "failed", 0),
              "pipelines",
              object());
      case "segment_replication_backpressure" -> object("total_rejected_requests", 0);
      default -> object();
    };
  }

  /**
   * Returns the section {@code discovery}. States are not published, because each node applies the
   * events of the cluster log one by one; the events are reported as compatible diffs.
   */
  private static Map<String, Object> discovery(ClusterState state) {
    return object(
        "cluster_state_queue",
        object("total", 0, "pending", 0, "committed", 0),
        "published_cluster_states",
        object("full_states", 0, "incompatible_diffs", 0, "compatible_diffs", state.version()));
  }

  private static Map<String, Object> indices(
      ClusterState state, NodeInfo node, StatsReport report, StatsRequest wanted) {
    Map<String, Object> shown = report.sum(copy -> copy.nodeId().equals(node.nodeId()));
    if (wanted.level().equals("node")) {
      return shown;
    }
    Map<String, Object> byIndex = new LinkedHashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      List<StatsReport.Copy> here =
          report.copies().stream()
              .filter(copy -> copy.nodeId().equals(node.nodeId()))
              .filter(copy -> copy.indexName().equals(index.name()))
              .toList();
      if (here.isEmpty()) {
        continue;
      }
      if (wanted.level().equals("indices")) {
        byIndex.put(index.name(), report.sum(here::contains));
      } else {
        byIndex.put(
            index.name(),
            here.stream()
                .map(copy ->
                    object(
                        Integer.toString(copy.answer().copy().shard().number()),
                        report.shard(copy)))
                .toList());
      }
    }
    shown.put(wanted.level(), byIndex);
    return shown;
  }
}
