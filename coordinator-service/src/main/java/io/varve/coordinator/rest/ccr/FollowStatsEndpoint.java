package io.varve.coordinator.rest.ccr;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code _ccr/stats}: progress of the following shards, as their pullers report it. */
public final class FollowStatsEndpoint implements RestEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(FollowStatsEndpoint.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final ClusterAccess cluster;
  private final HttpClient http;
  private final Parallel parallel;

  public FollowStatsEndpoint(ClusterAccess cluster, HttpClient http, Parallel parallel) {
    this.cluster = cluster;
    this.http = http;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_ccr/stats", "/{index}/_ccr/stats");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    request.time("timeout", Duration.ofSeconds(30));
    request.clusterManagerTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    return responder -> {
      List<IndexMetadata> followers =
          IndexResolver.resolve(cluster.state(), expression, options).stream()
              .filter(index -> index.follow() != null)
              .toList();
      Map<String, Object> indices = FollowStats.indices(followers, pullers());
      if (expression != null) {
        responder.json(200, indices);
        return;
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("auto_follow_stats", FollowStats.autoFollow());
      answer.put("follow_stats", indices);
      responder.json(200, answer);
    };
  }

  private List<PullerStats> pullers() throws InterruptedException {
    List<NodeInfo> nodes =
        cluster.state().nodes().values().stream().filter(node -> node.has(NodeInfo.CCR)).toList();
    return parallel.map(nodes, this::ask).stream().flatMap(List::stream).toList();
  }

  private List<PullerStats> ask(NodeInfo node) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + "/_internal/ccr/stats"))
            .timeout(TIMEOUT)
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return response.statusCode() == 200
          ? List.of(Json.read(response.body(), PullerStats[].class))
          : List.of();
    } catch (IOException | MalformedRecordException e) {
      LOG.debug("node {} did not report its pullers", node.name(), e);
      return List.of();
    }
  }
}
