package io.varve.http.internal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.varve.metrics.Metric;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The times of internal calls by the name of their endpoint and their status. */
public final class InternalCallTimes {

  static final Metric CALLS =
      Metric.timer(
          "varve.http",
          "Calls from other processes: `bulk`, `docs`, `search`, `refresh`, `visible`, `flush`,"
              + " `stats`, `snapshots`, `files`, `bundle`, …; requests that do not concern a single"
              + " copy have a prefix: `node`, `node/figures`, `searches/tasks`, `store/indices`,"
              + " `ccr/stats`; `unknown` for a path or method without a route;"
              + " each part of a `node-bulk` also counts as a `bulk`. The time of"
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
  public InternalCallTimes(MeterRegistry meters, LongSupplier nanos) {
    this.meters = meters;
    this.nanos = nanos;
  }

  /** The present time, as {@link #ended} needs it. */
  public long began() {
    return nanos.getAsLong();
  }

  public void ended(String name, int status, long began) {
    timers
        .computeIfAbsent(new Key(name, status), this::timer)
        .record(nanos.getAsLong() - began, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Key key) {
    return CALLS.timer(meters, key.name(), Integer.toString(key.status()));
  }
}
