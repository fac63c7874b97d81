package io.varve.coordinator.rest.cluster;

import io.varve.client.NodeThreads;
import io.varve.client.ShardClient;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.stats.HotThreadsQuery;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** {@code _nodes/hot_threads}: stack traces of the busiest threads of each node, as text. */
public final class HotThreadsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final NodeThreads threads;
  private final Parallel parallel;

  public HotThreadsEndpoint(ClusterAccess cluster, NodeThreads threads, Parallel parallel) {
    this.cluster = cluster;
    this.threads = threads;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_nodes/hot_threads", "/_nodes/{node_id}/hot_threads");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("node_id");
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    HotThreadsQuery query =
        new HotThreadsQuery(
            request.integer("threads", 3),
            request.time("interval", Duration.ofMillis(500)).toMillis(),
            request.integer("snapshots", 10),
            HotThreadsQuery.kind(request.param("type", "cpu")),
            request.flag("ignore_idle_threads", true));
    Duration longest = timeout.plusMillis(query.intervalMillis());
    return responder -> {
      List<String> answers =
          parallel.map(
              NodeFilter.select(cluster, expression),
              node -> title(node) + "\n" + indented(ask(node, query, longest)));
      responder.text(200, String.join("\n", answers));
    };
  }

  private static String title(NodeInfo node) {
    return "::: "
        + List.of(
                node.name(),
                node.nodeId(),
                node.incarnation(),
                NodeFilter.host(node),
                NodeFilter.address(node),
                NodeFilter.letters(node))
            .stream()
            .map(part -> "{" + part + "}")
            .collect(Collectors.joining())
        + NodeFilter.attributes(node);
  }

  private String ask(NodeInfo node, HotThreadsQuery query, Duration timeout)
      throws InterruptedException {
    try {
      return threads.hot(node, query, timeout);
    } catch (ApiException | ShardClient.UnreachableException e) {
      return "no answer: " + e.getMessage();
    }
  }

  private static String indented(String text) {
    return text.lines().map(line -> "   " + line + "\n").collect(Collectors.joining());
  }
}
