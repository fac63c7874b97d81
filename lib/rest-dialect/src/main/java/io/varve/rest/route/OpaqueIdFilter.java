package io.varve.rest.route;

import io.varve.rest.RestRequest;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Returns the client's {@code X-Opaque-Id} with the response. */
final class OpaqueIdFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestResponse response = next.handle(request);
    String opaqueId = request.servletRequest().getHeader(RestRequest.OPAQUE_ID);
    if (opaqueId != null) {
      response.responder().header(RestRequest.OPAQUE_ID, opaqueId);
    }
    return response;
  }
}
