package io.varve.client.consistency;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Metrics of read promises. */
public final class PromiseMeters {

  private final MeterRegistry meters;
  private final Counter rerouted;
  private final Counter broken;

  public PromiseMeters(MeterRegistry meters) {
    this.meters = meters;
    this.rerouted = meters.counter("varve.read.rerouted");
    this.broken = meters.counter("varve.read.promise.broken");
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
    Timer.builder("varve.write.visible.wait")
        .tag("outcome", shown ? "shown" : "timeout")
        .register(meters)
        .record(nanos, TimeUnit.NANOSECONDS);
  }
}
