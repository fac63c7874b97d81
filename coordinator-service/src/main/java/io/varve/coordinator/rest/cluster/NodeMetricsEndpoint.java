package io.varve.coordinator.rest.cluster;

import io.varve.client.NodeMetrics;
import io.varve.client.ShardClient;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code _prometheus/metrics/{node_id}}: the metrics of one process, in the text format of
 * Prometheus. With security, the ports of data nodes accept only processes of the cluster. This
 * coordinator is such a process, and authenticates users.
 */
public final class NodeMetricsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final NodeMetrics metrics;

  public NodeMetricsEndpoint(ClusterAccess cluster, NodeMetrics metrics) {
    this.cluster = cluster;
    this.metrics = metrics;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_prometheus/metrics/{node_id}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("node_id");
    String name = request.param("name");
    Duration timeout = request.time("timeout", Duration.ofSeconds(10));
    return responder -> responder.text(200, ask(node(expression), name, timeout));
  }

  private NodeInfo node(String expression) {
    List<NodeInfo> nodes = NodeFilter.select(cluster, expression);
    if (nodes.size() != 1) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[node_id] must name one node, but ["
                  + expression
                  + "] is "
                  + nodes.size()
                  + " nodes"));
    }
    return nodes.getFirst();
  }

  private String ask(NodeInfo node, @Nullable String name, Duration timeout)
      throws InterruptedException {
    try {
      return metrics.text(node, name, timeout);
    } catch (ShardClient.UnreachableException e) {
      throw new ApiException(503, "connect_transport_exception", String.valueOf(e.getMessage()));
    }
  }
}
