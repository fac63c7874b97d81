package io.varve.http.internal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Times every request by the name of its route and its status, as {@code varve.http}. */
final class InternalMetricsFilter
    implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private final MeterRegistry meters;
  private final LongSupplier nanos;
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

  private record Key(String name, int status) {}

  /**
   * @param nanos a monotonic clock
   */
  InternalMetricsFilter(MeterRegistry meters, LongSupplier nanos) {
    this.meters = meters;
    this.nanos = nanos;
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    InternalCall call = InternalCall.of(request);
    long began = nanos.getAsLong();
    try {
      return next.handle(request);
    } finally {
      timers
          .computeIfAbsent(new Key(call.name(), call.response().getStatus()), this::timer)
          .record(nanos.getAsLong() - began, TimeUnit.NANOSECONDS);
    }
  }

  private Timer timer(Key key) {
    return Timer.builder("varve.http")
        .tag("endpoint", key.name())
        .tag("status", Integer.toString(key.status()))
        .register(meters);
  }
}
