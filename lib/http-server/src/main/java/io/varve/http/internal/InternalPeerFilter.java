package io.varve.http.internal;

import io.varve.http.security.Peers;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Optional;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Refuses requests that do not come from a process of the cluster, and those from a process whose
 * service may not call the route. The spelling of the path has no effect, because the route is
 * already resolved.
 */
final class InternalPeerFilter
    implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private final Peers peers;

  InternalPeerFilter(Peers peers) {
    this.peers = peers;
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    InternalCall call = InternalCall.of(request);
    Optional<ErrorBody> refusal =
        peers.refusal(call.request(), call.request().getMethod(), call.template());
    if (refusal.isPresent()) {
      throw new ApiException(refusal.get());
    }
    return next.handle(request);
  }
}
