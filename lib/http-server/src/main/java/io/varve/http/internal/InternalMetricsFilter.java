package io.varve.http.internal;

import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Times every request by the name of its route and its status, as {@code varve.http}. */
final class InternalMetricsFilter
    implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private final InternalCallTimes times;

  InternalMetricsFilter(InternalCallTimes times) {
    this.times = times;
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    InternalCall call = InternalCall.of(request);
    long began = times.began();
    try {
      return next.handle(request);
    } finally {
      times.ended(call.name(), call.response().getStatus(), began);
    }
  }
}
