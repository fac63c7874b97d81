package io.varve.rest.route;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Lets the endpoint read the request, and rejects parameters that the endpoint has not read (400).
 */
final class PreparationFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    RestRequest read = call.request();
    call.action(call.target().endpoint().prepare(read));
    String complaint = read.complaint();
    if (complaint != null) {
      throw new ApiException(ErrorBody.illegalArgument(complaint));
    }
    return next.handle(request);
  }
}
