package io.varve.coordinator.rest.index;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DestructiveNames;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Deadline;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code _open} and {@code _close}. */
public final class OpenCloseEndpoint implements RestEndpoint {

  /** Options with which wildcards match only the indices that the request would change. */
  private static final IndexOptions CLOSED_ONLY =
      new IndexOptions(
          false,
          true,
          new IndexOptions.States(false, true, false),
          false,
          IndexOptions.Aliases.MANY);

  private final ClusterAccess cluster;
  private final DetachableWork background;
  private final boolean open;

  private OpenCloseEndpoint(ClusterAccess cluster, Tasks tasks, boolean open) {
    this.cluster = cluster;
    this.background = new DetachableWork(tasks);
    this.open = open;
  }

  /** Returns one endpoint for opening and one for closing. */
  public static List<OpenCloseEndpoint> all(ClusterAccess cluster, Tasks tasks) {
    return List.of(
        new OpenCloseEndpoint(cluster, tasks, true), new OpenCloseEndpoint(cluster, tasks, false));
  }

  @Override
  public List<Route> routes() {
    String action = open ? "_open" : "_close";
    return Route.of(List.of(RestMethod.POST), "/" + action, "/{index}/" + action);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index", "");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    ActiveShards asked = ActiveShardWait.asked(request);
    // A closed index does not need active copies.
    ActiveShards active = asked == null && !open ? ActiveShards.NONE : asked;
    IndexOptions options = IndexOptions.of(request, open ? CLOSED_ONLY : IndexOptions.SHOW);
    boolean wait = !open || request.flag("wait_for_completion", true);
    if (open) {
      // The task has no timeout of its own: opening takes as long as the shards need.
      request.time("task_execution_timeout", Duration.ofHours(1));
    }
    TaskKind kind =
        new TaskKind(
            "indices:admin/" + (open ? "open" : "close"),
            (open ? "open" : "close") + " indices [" + expression + "]",
            false);
    return RestAction.task(
        kind,
        responder -> {
          if (expression.isEmpty()) {
            throw new ApiException(ErrorBodies.validation(List.of("index is missing")));
          }
          DestructiveNames.check(cluster.state(), expression);
          List<String> names =
              IndexResolver.resolve(cluster.state(), expression, options).stream()
                  .map(IndexMetadata::name)
                  .toList();
          background.run(kind, wait, responder, task -> change(names, timeout, active, ackTimeout));
        });
  }

  private Map<String, Object> change(
      List<String> names, Duration timeout, @Nullable ActiveShards active, Duration ackTimeout)
      throws InterruptedException {
    if (!names.isEmpty()) {
      cluster.change(
          open ? new ClusterCommand.OpenIndices(names) : new ClusterCommand.CloseIndices(names),
          timeout);
    }
    Deadline deadline = cluster.deadline(ackTimeout);
    boolean acknowledged = cluster.awaitAcknowledged(ackTimeout);
    boolean serving = acknowledged;
    for (String name : names) {
      serving = serving && ActiveShardWait.await(cluster, name, active, deadline.left());
    }
    return answer(names, acknowledged, serving);
  }

  private Map<String, Object> answer(List<String> names, boolean acknowledged, boolean serving) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("acknowledged", acknowledged);
    answer.put("shards_acknowledged", serving);
    if (!open) {
      Map<String, Object> indices = new TreeMap<>();
      names.forEach(name -> indices.put(name, Map.of("closed", true)));
      answer.put("indices", indices);
    }
    return answer;
  }
}
