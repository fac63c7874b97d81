package io.varve.coordinator.rest.byquery;

import io.varve.client.ShardClient;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.RetentionLease;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * {@code POST /{index}/_rereplicate}: proves that all copies of a strong index hold those of its
 * records for which its primaries do not know this, and on request writes these records. One job
 * runs on an index at a time.
 */
final class RereplicateEndpoint implements RestEndpoint {

  static final String ACTION = "indices:data/write/rereplicate";

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Tasks tasks;
  private final Parallel parallel;
  private final ByQueryRunner statements;
  private final InstantSource clock;

  RereplicateEndpoint(
      ClusterAccess cluster,
      ShardClient client,
      Tasks tasks,
      Parallel parallel,
      ByQueryRunner statements,
      InstantSource clock) {
    this.cluster = cluster;
    this.client = client;
    this.tasks = tasks;
    this.parallel = parallel;
    this.statements = statements;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestMethod.POST, "/{index}/_rereplicate"));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"query\":{\"match_all\":{}}}");
  }

  /** A job whose shards are claimed. */
  private interface Job {
    ByQueryRunner.Answer run(Task task) throws InterruptedException;
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
          IndexMetadata index = index(expression, options, asked);
          Job job = claimed(expression, index, asked);
          Task own = Objects.requireNonNull(Tasks.current(), "the request is a task");
          if (asked.waits()) {
            ByQueryRunner.Answer answer = job.run(own);
            responder.json(answer.status(), answer.json());
          } else {
            Task task = tasks.start(kind, own.headers(), started -> job.run(started).json());
            responder.json(200, Map.of("task", task.id().toString()));
          }
        });
  }

  private Job claimed(String expression, IndexMetadata index, RereplicateRequest asked)
      throws InterruptedException {
    ClaimedShards claimed = ClaimedShards.claim(cluster, client, index, asked, clock.millis());
    if (asked.method() == RereplicateRequest.Method.STATEMENT) {
      StatementProof proof =
          new StatementProof(
              claimed, asked.records().operations().writes(), parallel, cluster.clock());
      return new StatementRun(statements, claimed, proof, expression, asked)::run;
    }
    RereplicationRun run = new RereplicationRun(cluster, parallel, claimed, asked);
    return task -> new ByQueryRunner.Answer(200, run.run(task));
  }

  private IndexMetadata index(String expression, IndexOptions options, RereplicateRequest asked) {
    List<SearchIndex> indices = IndexResolver.search(cluster.state(), expression, options, null);
    if (indices.size() != 1) {
      throw refused("[index] must name one index, but [" + expression + "] is " + indices.size());
    }
    SearchIndex found = indices.getFirst();
    IndexMetadata index = found.index();
    if (index.closed() || !IndexSettings.isStrong(index.settings())) {
      throw refused(
          "[index] must be open and have [index.replication.consistency=strong], but ["
              + index.name()
              + (index.closed() ? "] is closed" : "] is eventual"));
    }
    boolean restricted = found.filter() != null || found.routing() != null;
    if (restricted && asked.method() != RereplicateRequest.Method.STATEMENT) {
      throw refused(
          "[index] must not be an alias with a filter or a routing, as ["
              + expression
              + "] is, except for method [statement]");
    }
    refuseToReship(index, asked.records());
    return index;
  }

  /** Followers receive touched records again, although their content is unchanged. */
  private static void refuseToReship(IndexMetadata index, RereplicateRequest.Records records) {
    boolean followed = index.leases().values().stream().anyMatch(RetentionLease::isActive);
    if (records.operations().touch() && !records.reships() && followed) {
      throw refused(
          "[allow_reship] must be true, because followers of ["
              + index.name()
              + "] receive touched documents again");
    }
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
