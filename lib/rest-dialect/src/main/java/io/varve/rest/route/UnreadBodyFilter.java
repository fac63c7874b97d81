package io.varve.rest.route;

import io.varve.rest.RequestBody;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Skips the rest of a body after an error, so that the connection can carry the next request;
 * closes the connection after the response if the rest is too long.
 */
final class UnreadBodyFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestResponse response = next.handle(request);
    if (response.responder().status() >= 400 && !RequestBody.readToEnd(request.servletRequest())) {
      response.responder().header("Connection", "close");
    }
    return response;
  }
}
