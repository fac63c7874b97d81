package io.varve.coordinator.rest.ccr;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code _ccr/stats}: progress of the following shards, as their pullers report it. */
public final class FollowStatsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final FollowReports reports;

  FollowStatsEndpoint(ClusterAccess cluster, FollowReports reports) {
    this.cluster = cluster;
    this.reports = reports;
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
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW_ALL);
    return responder -> {
      List<IndexMetadata> followers =
          IndexResolver.resolve(cluster.state(), expression, options).stream()
              .filter(FollowStats::isShown)
              .toList();
      if (followers.isEmpty() && expression != null && !isPattern(expression)) {
        throw new ApiException(
            404,
            "resource_not_found_exception",
            "No shard follow tasks for follower indices [" + expression + "]");
      }
      Map<String, Object> indices =
          FollowStats.indices(
              followers, new FollowStats.Sources(cluster.state(), reports.pullers()));
      if (expression != null) {
        responder.json(200, indices);
        return;
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("auto_follow_stats", reports.autoFollow());
      answer.put("follow_stats", indices);
      responder.json(200, answer);
    };
  }

  private static boolean isPattern(String expression) {
    return expression.contains("*") || expression.equals("_all");
  }
}
