package io.varve.client.consistency;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.metrics.Metric;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Metrics of read promises. */
public final class PromiseMeters {

  static final Metric REROUTED =
      Metric.counter(
          "varve.read.rerouted",
          "Reads that were sent to another copy because the first one could not satisfy their"
              + " promise");
  static final Metric BROKEN =
      Metric.counter(
          "varve.read.promise.broken", "Shard reads under a promise that ended with 504");
  static final Metric VISIBLE_WAITS =
      Metric.timer(
          "varve.write.visible.wait",
          "Writes with `refresh`, counted per shard, that waited until every in-sync copy showed"
              + " them (`shown`, `timeout`)",
          "outcome");

  private final MeterRegistry meters;
  private final LongAdder rerouted = new LongAdder();
  private final LongAdder broken = new LongAdder();

  public PromiseMeters(MeterRegistry meters) {
    this.meters = meters;
    REROUTED.register(meters, rerouted, LongAdder::sum);
    BROKEN.register(meters, broken, LongAdder::sum);
  }

  /** A copy could not keep a read's promise, and another one is asked. */
  void rerouted() {
    rerouted.increment();
  }

  /** No copy kept a read's promise in time. */
  void broken() {
    broken.increment();
  }

  /** A write waited until all in-sync copies showed it, or until the timeout. */
  public void visibleEverywhere(long nanos, boolean shown) {
    VISIBLE_WAITS.timer(meters, shown ? "shown" : "timeout").record(nanos, TimeUnit.NANOSECONDS);
  }
}
