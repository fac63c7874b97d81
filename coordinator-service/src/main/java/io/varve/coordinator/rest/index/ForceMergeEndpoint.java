package io.varve.coordinator.rest.index;

import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code _forcemerge}: copies that write their own segments merge them; SEGMENT replicas get the
 * merged files from their primary as after any merge.
 */
public final class ForceMergeEndpoint implements RestEndpoint {

  /** A merge may rewrite the whole shard. */
  private static final Duration TIMEOUT = Duration.ofHours(12);

  private static final String BOTH =
      "setting only_expunge_deletes and max_num_segments at the same time is deprecated and will be"
          + " rejected in a future version";

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;
  private final DetachableWork background;

  public ForceMergeEndpoint(
      ClusterAccess cluster, ShardClient client, Parallel parallel, Tasks tasks) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
    this.background = new DetachableWork(tasks);
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/_forcemerge", "/{index}/_forcemerge");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    boolean expunge = request.flag("only_expunge_deletes", false);
    boolean primariesOnly = request.flag("primary_only", false);
    boolean both = expunge && request.has("max_num_segments");
    ForceMergeRequest wanted =
        new ForceMergeRequest(segments(request), expunge, request.flag("flush", true));
    request.hasBody();
    boolean wait = request.flag("wait_for_completion", true);
    TaskKind kind =
        new TaskKind(
            "indices:admin/forcemerge", description(expression, wanted, primariesOnly), true);
    return RestAction.task(
        kind,
        responder -> {
          if (both) {
            responder.warning(BOTH);
          }
          background.run(
              kind, wait, responder, task -> merge(expression, options, primariesOnly, wanted));
        });
  }

  private Map<String, Object> merge(
      @Nullable String expression,
      IndexOptions options,
      boolean primariesOnly,
      ForceMergeRequest wanted)
      throws InterruptedException {
    ClusterState state = cluster.state();
    List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
    return Map.of(
        "_shards",
        new CopyBroadcast(parallel)
            .ask(
                state,
                indices,
                primariesOnly,
                copy -> client.merge(copy, wanted, state.version(), TIMEOUT))
            .toMap());
  }

  private static String description(
      @Nullable String expression, ForceMergeRequest wanted, boolean primariesOnly) {
    return "Force-merge indices ["
        + (expression == null ? "" : expression)
        + "], maxSegments["
        + wanted.maxSegments()
        + "], onlyExpungeDeletes["
        + wanted.onlyExpungeDeletes()
        + "], flush["
        + wanted.flush()
        + "], primaryOnly["
        + primariesOnly
        + "]";
  }

  private static int segments(RestRequest request) {
    int segments = request.integer("max_num_segments", ForceMergeRequest.AS_DUE);
    if (segments == 0 || segments < ForceMergeRequest.AS_DUE) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[max_num_segments] must be a positive number, was [" + segments + "]"));
    }
    return segments;
  }
}
