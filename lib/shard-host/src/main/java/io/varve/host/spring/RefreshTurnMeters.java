package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.host.RefreshTurns;
import io.varve.metrics.Metric;
import java.util.concurrent.TimeUnit;

/** Metrics of the periodic refreshes of a node. */
final class RefreshTurnMeters {

  static final Metric QUEUED =
      Metric.gauge(
          "varve.refresh.queued",
          "Copies that are due for a periodic refresh and wait for others"
              + " (`varve.periodic-refreshes`)");
  static final Metric RUNNING =
      Metric.gauge("varve.refresh.running", "Periodic refreshes in progress");
  static final Metric TURNS =
      Metric.counter("varve.refresh.turns", "Periodic refreshes that have ended");
  static final Metric WAIT =
      Metric.counter(
          "varve.refresh.wait.seconds", "Time that periodic refreshes waited for others");

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private RefreshTurnMeters() {}

  static void register(RefreshTurns turns, MeterRegistry meters) {
    QUEUED.register(meters, turns, RefreshTurns::waiting);
    RUNNING.register(meters, turns, RefreshTurns::running);
    TURNS.register(meters, turns, RefreshTurns::ended);
    WAIT.register(meters, turns, t -> t.waitedNanos() / NANOS_PER_SECOND);
  }
}
