package io.varve.coordinator.rest.index;

import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DestructiveNames;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code DELETE /{index}}. */
public final class DeleteIndexEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public DeleteIndexEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.DELETE), "/{index}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.CONCRETE);
    return responder -> {
      DestructiveNames.check(cluster.state(), expression);
      List<String> names =
          IndexResolver.resolve(cluster.state(), expression, options).stream()
              .map(IndexMetadata::name)
              .toList();
      if (!names.isEmpty()) {
        cluster.change(new ClusterCommand.DeleteIndices(names), timeout);
      }
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }
}
