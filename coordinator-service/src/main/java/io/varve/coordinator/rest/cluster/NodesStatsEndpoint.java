package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.JsonObjects;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.index.StatsJson;
import io.varve.coordinator.rest.index.StatsWish;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.events.NodeHeartbeat;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code _nodes/stats}: what the nodes' heartbeats and the copies on them say. */
public final class NodesStatsEndpoint implements RestEndpoint {

  private static final Set<String> METRICS =
      Set.of("indices", "os", "process", "jvm", "fs", "_all");

  private final ClusterAccess cluster;
  private final CopyReader reader;

  public NodesStatsEndpoint(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  @Override
  public List<Route> routes() {
    return Route.get(
        "/_nodes/stats",
        "/_nodes/stats/{metric}",
        "/_nodes/{node_id}/stats",
        "/_nodes/{node_id}/stats/{metric}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String nodes = request.param("node_id");
    List<String> asked = request.list("metric");
    Set<String> metrics = asked.isEmpty() ? METRICS : Set.copyOf(asked);
    for (String metric : metrics) {
      if (!METRICS.contains(metric)) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "request [" + request.path() + "] contains unrecognized metric: [" + metric + "]"));
      }
    }
    request.time("timeout", Duration.ofSeconds(30));
    return responder -> {
      ClusterState state = cluster.state();
      List<CopyReader.Answer<CopyStats>> copies =
          isAsked(metrics, "indices") ? reader.stats(state, state.indices().values()) : List.of();
      Map<String, Object> byId = new LinkedHashMap<>();
      for (NodeInfo node : NodeFilter.select(cluster, nodes)) {
        byId.put(node.nodeId(), node(node, copies, metrics));
      }
      responder.json(200, NodesEndpoint.answer(state, byId));
    };
  }

  private static boolean isAsked(Set<String> metrics, String metric) {
    return metrics.contains("_all") || metrics.contains(metric);
  }

  private Map<String, Object> node(
      NodeInfo node, List<CopyReader.Answer<CopyStats>> copies, Set<String> metrics) {
    Map<String, Object> shown = new LinkedHashMap<>();
    NodeHeartbeat heartbeat = cluster.heartbeats().get(node.nodeId());
    shown.put("timestamp", heartbeat == null ? 0 : heartbeat.timestampMillis());
    shown.putAll(NodeFilter.identity(node));
    shown.put("roles", NodeFilter.roles(node));
    if (isAsked(metrics, "indices")) {
      Map<String, Object> sum = new LinkedHashMap<>();
      for (CopyReader.Answer<CopyStats> copy : copies) {
        if (copy.copy().node().nodeId().equals(node.nodeId())) {
          copy.figures()
              .ifPresent(stats ->
                  JsonObjects.add(
                      sum,
                      StatsJson.of(
                          stats,
                          StatsJson.Surroundings.NONE,
                          null,
                          new StatsWish(
                              StatsJson.names(),
                              new StatsWish.Fields(List.of(), List.of()),
                              List.of(),
                              "node",
                              false))));
        }
      }
      shown.put("indices", sum);
    }
    if (heartbeat != null) {
      putLoad(shown, heartbeat, metrics);
    }
    return shown;
  }

  private static void putLoad(
      Map<String, Object> shown, NodeHeartbeat heartbeat, Set<String> metrics) {
    NodeHeartbeat.Load load = heartbeat.load();
    if (isAsked(metrics, "os")) {
      Map<String, Object> os = new LinkedHashMap<>();
      os.put("timestamp", heartbeat.timestampMillis());
      Map<String, Object> cpu = new LinkedHashMap<>();
      cpu.put("percent", Math.round(100 * load.cpuFraction()));
      cpu.put("load_average", Map.of("1m", load.load1m()));
      os.put("cpu", cpu);
      Map<String, Object> memory = new LinkedHashMap<>();
      memory.put("total_in_bytes", load.memoryTotalBytes());
      memory.put("used_in_bytes", load.memoryUsedBytes());
      memory.put("free_in_bytes", load.memoryTotalBytes() - load.memoryUsedBytes());
      memory.put("used_percent", percent(load.memoryUsedBytes(), load.memoryTotalBytes()));
      os.put("mem", memory);
      shown.put("os", os);
    }
    if (isAsked(metrics, "process")) {
      shown.put("process", Map.of("timestamp", heartbeat.timestampMillis()));
    }
    if (isAsked(metrics, "jvm")) {
      Map<String, Object> jvm = new LinkedHashMap<>();
      jvm.put("timestamp", heartbeat.timestampMillis());
      jvm.put("uptime_in_millis", heartbeat.timestampMillis() - load.startedMillis());
      Map<String, Object> memory = new LinkedHashMap<>();
      memory.put("heap_used_in_bytes", load.heapUsedBytes());
      memory.put("heap_used_percent", percent(load.heapUsedBytes(), load.heapMaxBytes()));
      memory.put("heap_max_in_bytes", load.heapMaxBytes());
      jvm.put("mem", memory);
      shown.put("jvm", jvm);
    }
    if (isAsked(metrics, "fs")) {
      Map<String, Object> disk = new LinkedHashMap<>();
      disk.put("total_in_bytes", load.diskTotalBytes());
      disk.put("free_in_bytes", load.diskFreeBytes());
      disk.put("available_in_bytes", load.diskFreeBytes());
      shown.put("fs", Map.of("timestamp", heartbeat.timestampMillis(), "total", disk));
    }
  }

  static long percent(long part, long whole) {
    return whole <= 0 ? 0 : Math.round(100.0 * part / whole);
  }
}
