package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.List;

/**
 * {@code _cluster/pending_tasks}: always empty, because the leader decides and appends in one step.
 */
public final class PendingTasksEndpoint implements RestEndpoint {

  @Override
  public List<Route> routes() {
    return Route.get("/_cluster/pending_tasks");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    request.flag("local", false);
    request.clusterManagerTimeout();
    return responder -> responder.json(200, object("tasks", List.of()));
  }
}
