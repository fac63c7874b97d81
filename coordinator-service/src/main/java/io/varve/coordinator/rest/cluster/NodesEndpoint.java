package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.events.NodeHeartbeat;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code _nodes}: what the nodes are. */
public final class NodesEndpoint implements RestEndpoint {

  private static final Set<String> METRICS =
      Set.of(
          "settings",
          "os",
          "process",
          "jvm",
          "thread_pool",
          "transport",
          "http",
          "plugins",
          "ingest",
          "aggregations",
          "indices",
          "_all");

  private final ClusterAccess cluster;

  public NodesEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_nodes", "/_nodes/{node_id}", "/_nodes/{node_id}/{metric}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    request.flag("flat_settings", false);
    request.time("timeout", Duration.ofSeconds(30));
    String first = request.param("node_id");
    String metric = request.param("metric");
    boolean onlyMetric = metric == null && first != null && isMetrics(first);
    String nodes = onlyMetric ? null : first;
    Set<String> metrics = metrics(onlyMetric ? first : metric);
    return responder -> {
      Map<String, Object> byId = new LinkedHashMap<>();
      for (NodeInfo node : NodeFilter.select(cluster, nodes)) {
        byId.put(node.nodeId(), node(node, metrics));
      }
      responder.json(200, answer(cluster.state(), byId));
    };
  }

  static Map<String, Object> answer(ClusterState state, Map<String, Object> nodes) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("total", nodes.size());
    counts.put("successful", nodes.size());
    counts.put("failed", 0);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("_nodes", counts);
    answer.put("cluster_name", state.clusterName());
    answer.put("nodes", nodes);
    return answer;
  }

  private static boolean isMetrics(String text) {
    return !text.equals("_all") && METRICS.containsAll(List.of(text.split(",", -1)));
  }

  private static Set<String> metrics(@Nullable String text) {
    return text == null || text.equals("_all") ? METRICS : Set.of(text.split(",", -1));
  }

  private Map<String, Object> node(NodeInfo node, Set<String> metrics) {
    Map<String, Object> shown = NodeFilter.identity(node);
    shown.put("version", Build.DIALECT);
    shown.put("build_type", "tar");
    shown.put("build_hash", Build.hash());
    shown.put("roles", NodeFilter.roles(node));
    shown.put("attributes", Map.of("varve_roles", String.join(",", node.roles())));
    NodeHeartbeat heartbeat = cluster.heartbeats().get(node.nodeId());
    if (heartbeat != null) {
      putLoad(shown, heartbeat.load(), metrics);
    }
    if (metrics.contains("http")) {
      String address = NodeFilter.address(node);
      shown.put("http", Map.of("bound_address", List.of(address), "publish_address", address));
    }
    if (metrics.contains("plugins")) {
      shown.put("plugins", List.of());
      shown.put("modules", List.of());
    }
    return shown;
  }

  private static void putLoad(
      Map<String, Object> shown, NodeHeartbeat.Load load, Set<String> metrics) {
    if (metrics.contains("process")) {
      shown.put("process", Map.of("id", load.processId(), "refresh_interval_in_millis", 1000));
    }
    if (metrics.contains("jvm")) {
      Map<String, Object> jvm = new LinkedHashMap<>();
      jvm.put("pid", load.processId());
      jvm.put("start_time_in_millis", load.startedMillis());
      jvm.put("mem", Map.of("heap_max_in_bytes", load.heapMaxBytes()));
      shown.put("jvm", jvm);
    }
  }
}
