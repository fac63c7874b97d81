package io.varve.coordinator.rest.byquery;

import io.varve.client.ShardClient;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * {@code POST /{index}/_rereplicate}: proves that all copies of a strong index hold its records,
 * where its primaries do not know it. One job runs on an index at a time.
 */
final class RereplicateEndpoint implements RestEndpoint {

  private static final String ACTION = "indices:data/write/rereplicate";

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Tasks tasks;
  private final Parallel parallel;

  RereplicateEndpoint(ClusterAccess cluster, ShardClient client, Tasks tasks, Parallel parallel) {
    this.cluster = cluster;
    this.client = client;
    this.tasks = tasks;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestMethod.POST, "/{index}/_rereplicate"));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW);
    RereplicateRequest asked = RereplicateRequest.of(request);
    TaskKind kind = new TaskKind(ACTION, asked.describe(expression), true);
    return RestAction.task(
        kind,
        responder -> {
          IndexMetadata index = index(expression, options);
          String job = UUID.randomUUID().toString();
          RereplicationRun run =
              RereplicationRun.claim(cluster, client, parallel, index, asked, job);
          Task own = Objects.requireNonNull(Tasks.current(), "the request is a task");
          if (asked.waits()) {
            responder.json(200, run.run(own));
          } else {
            Task task = tasks.start(kind, own.headers(), run::run);
            responder.json(200, Map.of("task", task.id().toString()));
          }
        });
  }

  private IndexMetadata index(String expression, IndexOptions options) {
    List<IndexMetadata> indices = IndexResolver.resolve(cluster.state(), expression, options);
    if (indices.size() != 1) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[index] must name one index, but [" + expression + "] is " + indices.size()));
    }
    IndexMetadata index = indices.getFirst();
    if (index.closed() || !IndexSettings.isStrong(index.settings())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[index] must be open and have [index.replication.consistency=strong], but ["
                  + index.name()
                  + "] is not so"));
    }
    return index;
  }
}
