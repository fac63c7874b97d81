package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.NodeReader;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.RestProperties;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.rest.Build;
import io.varve.rest.HumanText;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code _nodes}: versions, addresses, settings and limits of the nodes. */
public final class NodesEndpoint implements RestEndpoint {

  private static final List<String> METRICS =
      List.of(
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
          "search_pipelines",
          "indices");

  private final ClusterAccess cluster;
  private final NodeReader reader;
  private final long maxContentBytes;

  public NodesEndpoint(ClusterAccess cluster, NodeReader reader, RestProperties properties) {
    this.cluster = cluster;
    this.reader = reader;
    this.maxContentBytes = properties.maxContentLength().toBytes();
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_nodes", "/_nodes/{node_id}", "/_nodes/{node_id}/{metric}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    boolean flat = request.flag("flat_settings", false);
    boolean human = request.flag("human", false);
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    String first = request.param("node_id");
    List<String> asked = request.list("metric");
    boolean onlyMetrics = asked.isEmpty() && first != null && isMetrics(first);
    Set<String> metrics =
        metrics(onlyMetrics ? List.of(String.valueOf(first).split(",", -1)) : asked);
    StatsRequest.requireKnown(request, metrics, METRICS, "metric");
    String expression = onlyMetrics ? null : first;
    return responder -> {
      List<NodeReader.Answer> answers =
          reader.read(NodeFilter.select(cluster, expression), timeout);
      Map<String, Object> byId = new LinkedHashMap<>();
      for (NodeReader.Answer answer : answers) {
        if (answer.details() != null) {
          byId.put(answer.node().nodeId(), node(answer.node(), answer.details(), metrics, flat));
        }
      }
      Map<String, Object> shown = NodesAnswer.of(cluster.state().clusterName(), answers, byId);
      responder.json(200, human ? HumanText.of(shown) : shown);
    };
  }

  private static boolean isMetrics(String text) {
    return METRICS.containsAll(List.of(text.split(",", -1)));
  }

  private static Set<String> metrics(List<String> asked) {
    return asked.isEmpty() || asked.contains("_all") ? Set.copyOf(METRICS) : Set.copyOf(asked);
  }

  private Map<String, Object> node(
      NodeInfo node, NodeDetails details, Set<String> metrics, boolean flat) {
    Map<String, Object> shown = NodeFilter.identity(node);
    shown.put("version", Build.DIALECT);
    shown.put("build_type", "tar");
    shown.put("build_hash", Build.hash());
    Object buffer = details.info().getOrDefault("total_indexing_buffer_in_bytes", 0L);
    shown.put("total_indexing_buffer_in_bytes", buffer);
    shown.put("roles", NodeFilter.roles(node));
    shown.put("attributes", NodeFilter.attributes(node));
    for (String metric : METRICS) {
      Object section = metrics.contains(metric) ? section(metric, node, details, flat) : null;
      if (section != null) {
        shown.put(metric, section);
        if (metric.equals("plugins")) {
          shown.put("modules", List.of());
        }
      }
    }
    return shown;
  }

  private @Nullable Object section(
      String metric, NodeInfo node, NodeDetails details, boolean flat) {
    String address = NodeFilter.address(node);
    return switch (metric) {
      case "settings" -> {
        Map<String, String> settings = settings(node);
        yield flat ? settings : SettingsTree.nest(settings);
      }
      case "os", "process", "jvm", "thread_pool" -> details.info(metric);
      case "transport" ->
          object(
              "bound_address", List.of(address),
              "publish_address", address,
              "profiles", object());
      case "http" -> http(node, address);
      case "plugins" -> List.of();
      case "ingest" -> object("processors", List.of());
      case "aggregations" -> AggregationKinds.shown();
      case "search_pipelines" ->
          object("request_processors", List.of(), "response_processors", List.of());
      default -> null;
    };
  }

  /**
   * Returns the section {@code http}. Clients send requests to the addresses in it, so only
   * coordinators have it, and only without TLS: the port for clients is not announced.
   */
  private @Nullable Map<String, Object> http(NodeInfo node, String address) {
    return NodeFilter.servesClients(node)
        ? object(
            "bound_address", List.of(address),
            "publish_address", address,
            "max_content_length_in_bytes", maxContentBytes)
        : null;
  }

  private Map<String, String> settings(NodeInfo node) {
    return settings(cluster.state().clusterName(), node);
  }

  /** Returns a node's settings, with flat names. */
  static Map<String, String> settings(String clusterName, NodeInfo node) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("client.type", "node");
    settings.put("cluster.name", clusterName);
    settings.put("node.name", node.name());
    NodeFilter.attributes(node).forEach((name, value) -> settings.put("node.attr." + name, value));
    settings.put("http.type", "jetty");
    if (NodeFilter.servesClients(node)) {
      settings.put("http.port", Integer.toString(NodeFilter.port(node)));
    }
    // Each process runs in its working directory, logs to standard output, and communicates over
    // HTTP.
    settings.put("path.home", ".");
    settings.put("path.logs", "/dev/stdout");
    settings.put("transport.type", "http");
    settings.put("network.host", NodeFilter.host(node));
    return settings;
  }
}
