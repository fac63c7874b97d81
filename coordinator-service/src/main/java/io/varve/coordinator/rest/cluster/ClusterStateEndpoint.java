package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.JsonObjects;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code _cluster/state}: the state that results from the cluster log. */
public final class ClusterStateEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public ClusterStateEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get(
        "/_cluster/state", "/_cluster/state/{metric}", "/_cluster/state/{metric}/{index}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Set<String> metrics = metrics(request.list("metric"));
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW_ALL);
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    boolean flat = request.flag("flat_settings", false);
    long version = request.longNumber("wait_for_metadata_version", 0);
    Duration wait = request.time("wait_for_timeout", Duration.ofMinutes(1));
    request.clusterManagerTimeout();
    return responder -> {
      boolean inTime = version == 0 || cluster.awaitVersion(version, wait);
      ClusterState state = cluster.state();
      if (!inTime) {
        responder.json(
            200,
            JsonObjects.object("cluster_name", state.clusterName(), "wait_for_timed_out", true));
        return;
      }
      responder.json(
          200,
          new StateJson(state, IndexResolver.resolve(state, expression, options), flat)
              .of(metrics));
    };
  }

  /** Returns the requested metrics. As in OpenSearch, unknown names are ignored. */
  static Set<String> metrics(List<String> asked) {
    return asked.isEmpty() || asked.contains("_all") ? StateJson.METRICS : Set.copyOf(asked);
  }
}
