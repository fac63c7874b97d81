package io.varve.client.consistency;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Counts how promises are kept, and what that takes. */
public final class PromiseMeters {

  private final MeterRegistry meters;
  private final Counter rerouted;
  private final Counter broken;

  public PromiseMeters(MeterRegistry meters) {
    this.meters = meters;
    this.rerouted = meters.counter("varve.read.rerouted");
    this.broken = meters.counter("varve.read.promise.broken");
  }

  /** A copy could not keep a read's promise; another one is asked. */
  void rerouted() {
    rerouted.increment();
  }

  /** No copy kept a read's promise in time. */
  void broken() {
    broken.increment();
  }

  /** A write waited until all in-sync copies showed it, or in vain. */
  public void visibleEverywhere(long nanos, boolean shown) {
    Timer.builder("varve.write.visible.wait")
        .tag("outcome", shown ? "shown" : "timeout")
        .register(meters)
        .record(nanos, TimeUnit.NANOSECONDS);
  }
}
