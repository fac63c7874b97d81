package io.varve.coordinator.rest.ccr;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * {@code GET /{index}/_ccr/info}: the follower indices, their leader indices, and the parameters of
 * those that are not paused.
 */
final class FollowInfoEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  FollowInfoEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/{index}/_ccr/info");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    request.clusterManagerTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW_CLOSED);
    return responder ->
        responder.json(
            200,
            Map.of(
                "follower_indices",
                IndexResolver.resolve(cluster.state(), expression, options).stream()
                    .filter(index -> index.follow() != null)
                    .map(FollowInfoEndpoint::follower)
                    .toList()));
  }

  private static Map<String, Object> follower(IndexMetadata index) {
    IndexMetadata.Follow follow = Objects.requireNonNull(index.follow());
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("follower_index", index.name());
    shown.put("remote_cluster", follow.remoteCluster());
    shown.put("leader_index", follow.leaderIndex());
    shown.put("status", follow.paused() ? "paused" : "active");
    if (!follow.paused()) {
      shown.put("parameters", follow.effectiveParameters().shown());
    }
    return shown;
  }
}
