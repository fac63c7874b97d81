package io.varve.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;

/**
 * Metrics of circuit breakers, by resilience4j: {@code resilience4j.circuitbreaker.*} with the name
 * of the breaker. The metrics of a breaker that is removed from its registry are removed too.
 */
public final class BreakerMeters {

  /**
   * Omitted: no breaker counts slow calls, and the failure rate already covers the buffered calls.
   */
  public static final Set<String> UNWANTED =
      Set.of(
          "resilience4j.circuitbreaker.buffered.calls",
          "resilience4j.circuitbreaker.slow.calls",
          "resilience4j.circuitbreaker.slow.call.rate");

  private BreakerMeters() {}

  public static void bind(CircuitBreakerRegistry breakers, MeterRegistry meters) {
    TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(meters);
  }
}
