package io.varve.coordinator.rest.index;

import io.varve.cluster.ActiveShards;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DateMathName;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code PUT /{index}}. */
public final class CreateIndexEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public CreateIndexEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.PUT), "/{index}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String provided = request.required("index");
    String name = DateMathName.resolve(provided);
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    ActiveShards active = ActiveShardWait.asked(request);
    ClusterCommand.CreateIndex change = IndexBody.read(name, provided, request.bodyAsMap());
    return responder -> {
      cluster.change(change, timeout);
      boolean acknowledged = cluster.awaitAcknowledged(ackTimeout);
      boolean serving = acknowledged && ActiveShardWait.await(cluster, name, active, ackTimeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("acknowledged", acknowledged);
      answer.put("shards_acknowledged", serving);
      answer.put("index", name);
      responder.json(200, answer);
    };
  }
}
