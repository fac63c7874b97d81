package io.varve.http.internal;

import io.varve.cluster.ClusterSecret;
import io.varve.rpc.ApiException;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Refuses requests without the secret of the cluster, whichever way their path is written: the
 * route was found already.
 */
final class InternalSecretFilter
    implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private final ClusterSecret secret;

  InternalSecretFilter(ClusterSecret secret) {
    this.secret = secret;
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    if (!secret.matches(request.servletRequest().getHeader(ClusterSecret.HEADER))) {
      throw new ApiException(
          401, "security_exception", "the request lacks the secret of the cluster");
    }
    return next.handle(request);
  }
}
