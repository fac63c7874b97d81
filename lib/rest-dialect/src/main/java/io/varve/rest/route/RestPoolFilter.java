package io.varve.rest.route;

import io.varve.rest.RequestRunner;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Counts the request in the pool of its kind of work. */
final class RestPoolFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  private final RequestRunner requests;

  RestPoolFilter(RequestRunner requests) {
    this.requests = requests;
  }

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    requests.count(call.target().kindOfWork(), () -> RestFilters.handle(next, request));
    return call.response();
  }
}
