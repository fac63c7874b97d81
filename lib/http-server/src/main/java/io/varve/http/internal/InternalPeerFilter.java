package io.varve.http.internal;

import io.varve.http.security.Peers;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Optional;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Refuses requests that are not of a process of the cluster, or of one whose service may not call
 * the route, whichever way their path is written: the route was found already.
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
