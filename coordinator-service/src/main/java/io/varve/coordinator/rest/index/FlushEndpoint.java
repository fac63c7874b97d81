package io.varve.coordinator.rest.index;

import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code _flush}: each started copy commits its applied operations, so that a restart does not
 * replay them. Acked writes are durable without a flush.
 */
public final class FlushEndpoint implements RestEndpoint {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;

  public FlushEndpoint(ClusterAccess cluster, ShardClient client, Parallel parallel) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_flush", "/{index}/_flush");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    boolean force = request.flag("force", false);
    if (force && !request.flag("wait_if_ongoing", true)) {
      throw new ApiException(
          400,
          "action_request_validation_exception",
          "Validation Failed: 1: wait_if_ongoing must be true for a force flush;");
    }
    // Accepted without effect: a commit always waits for a commit in progress.
    request.flag("wait_if_ongoing", true);
    request.hasBody();
    return responder -> {
      ClusterState state = cluster.state();
      ShardCounts counts =
          new CopyBroadcast(parallel)
              .ask(
                  state,
                  IndexResolver.resolve(state, expression, options),
                  false,
                  copy -> client.flush(copy, TIMEOUT));
      responder.json(200, Map.of("_shards", counts.toMap()));
    };
  }
}
