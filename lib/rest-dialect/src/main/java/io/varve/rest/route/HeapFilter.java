package io.varve.rest.route;

import io.varve.rest.InFlightRequests;
import io.varve.rest.KindOfWork;
import io.varve.rest.RestMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Rejects requests with 429 while the heap is full, if their kind of work needs memory. Deletions
 * pass: they free it.
 */
final class HeapFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  private final InFlightRequests inFlight;

  HeapFilter(InFlightRequests inFlight) {
    this.inFlight = inFlight;
  }

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestTarget target = RestCall.of(request).target();
    if (target.method() != RestMethod.DELETE && KindOfWork.needsMemory(target.kindOfWork())) {
      inFlight.checkHeap();
    }
    return next.handle(request);
  }
}
