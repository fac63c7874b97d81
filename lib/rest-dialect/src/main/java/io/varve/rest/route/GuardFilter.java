package io.varve.rest.route;

import io.varve.rest.RequestGuard;
import io.varve.rest.Route;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Lets a guard decide on the request by its resolved route. */
final class GuardFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  private final RequestGuard guard;

  GuardFilter(RequestGuard guard) {
    this.guard = guard;
  }

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    RestTarget target = call.target();
    RestResponse[] response = new RestResponse[1];
    guard.guard(
        call.http(),
        new Route(target.method(), target.template()),
        call.pathVariables(),
        () -> response[0] = RestFilters.handle(next, request));
    return response[0];
  }
}
