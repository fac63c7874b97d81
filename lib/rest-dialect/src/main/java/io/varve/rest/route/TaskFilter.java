package io.varve.rest.route;

import io.varve.rest.RequestRunner;
import io.varve.rest.TaskKind;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Runs the action of an endpoint as a task if it has a task kind, so that it is listed and can be
 * cancelled.
 */
final class TaskFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  private final RequestRunner requests;

  TaskFilter(RequestRunner requests) {
    this.requests = requests;
  }

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    TaskKind task = call.action().task();
    if (task == null) {
      return next.handle(request);
    }
    requests.runTask(task, call.http(), () -> RestFilters.handle(next, request));
    return call.response();
  }
}
