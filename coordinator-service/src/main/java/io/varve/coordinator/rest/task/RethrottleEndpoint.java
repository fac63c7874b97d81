package io.varve.coordinator.rest.task;

import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code _rethrottle}: changes the rate of a running by-query operation. */
final class RethrottleEndpoint implements RestEndpoint {

  private static final TaskKind KIND = new TaskKind("cluster:admin/reindex/rethrottle", "", false);

  private final TaskBoard board;

  RethrottleEndpoint(TaskBoard board) {
    this.board = board;
  }

  @Override
  public List<Route> routes() {
    return Route.of(
        List.of(RestMethod.POST),
        "/_delete_by_query/{task_id}/_rethrottle",
        "/_update_by_query/{task_id}/_rethrottle",
        "/_reindex/{task_id}/_rethrottle",
        "/_rereplicate/{task_id}/_rethrottle");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofParameters(Map.of("task_id", "node:1", "requests_per_second", "100"));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    TaskId id = TaskId.parse(request.required("task_id"));
    String groupBy = TaskListResponse.groupBy(request);
    float perSecond = perSecond(request.param("requests_per_second"));
    return RestAction.task(
        KIND, responder -> responder.json(200, rethrottled(id, perSecond, groupBy)));
  }

  private static float perSecond(@Nullable String text) {
    if (text == null) {
      throw new ApiException(
          ErrorBody.illegalArgument("requests_per_second is a required parameter"));
    }
    try {
      float perSecond = Float.parseFloat(text);
      if (perSecond == -1) {
        return Float.POSITIVE_INFINITY;
      }
      if (perSecond > 0) {
        return perSecond;
      }
    } catch (NumberFormatException e) {
      throw notAPace();
    }
    throw notAPace();
  }

  private static ApiException notAPace() {
    return new ApiException(
        ErrorBody.illegalArgument(
            "[requests_per_second] must be a float greater than 0. Use -1 to disable"
                + " throttling."));
  }

  private Map<String, Object> rethrottled(TaskId id, float perSecond, String groupBy)
      throws InterruptedException {
    ListedTask changed = board.rethrottle(id, perSecond);
    if (changed != null) {
      return TaskListResponse.of(new TaskBoard.Found(List.of(changed), Map.of()), groupBy, true);
    }
    Map<String, ErrorBody> failures = new LinkedHashMap<>();
    failures.put(id.nodeId(), TaskEndpoints.notFound(id));
    return TaskListResponse.of(new TaskBoard.Found(List.of(), failures), groupBy, true);
  }
}
