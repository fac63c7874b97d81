package io.varve.http.internal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.varve.metrics.Metric;
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

  static final Metric CALLS =
      Metric.timer(
          "varve.http",
          "Calls from other processes: `bulk`, `docs`, `search`, `refresh`, `visible`, `flush`,"
              + " `stats`, `snapshots`, `files`, `bundle`, …; requests that do not concern a single"
              + " copy have a prefix: `node`, `node/figures`, `searches/tasks`, `store/indices`,"
              + " `ccr/stats`; `unknown` for a path or method without a route. The time of"
              + " `visible` is spent waiting for a refresh",
          "endpoint",
          "status");

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
    return CALLS.timer(meters, key.name(), Integer.toString(key.status()));
  }
}
