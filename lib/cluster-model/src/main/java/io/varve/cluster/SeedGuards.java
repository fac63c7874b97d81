package io.varve.cluster;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A circuit breaker for each seed of other clusters, so that a seed that is down does not delay
 * each request by a timeout.
 *
 * <p>A breaker only changes the order: seeds whose breaker is open are asked last, and are asked if
 * no other one answers. It opens when half of the last five requests (at least two) got no valid
 * answer, and admits one request after ten seconds. A refusal counts as an answer. Thread-safe.
 */
public final class SeedGuards {

  private static final Duration OPEN = Duration.ofSeconds(10);

  private final CircuitBreakerRegistry breakers;

  public SeedGuards() {
    this(CircuitBreakerConfig.custom());
  }

  SeedGuards(Clock clock) {
    this(CircuitBreakerConfig.custom().clock(clock));
  }

  private SeedGuards(CircuitBreakerConfig.Builder config) {
    this.breakers =
        CircuitBreakerRegistry.of(
            config
                .slidingWindowSize(5)
                .minimumNumberOfCalls(2)
                .failureRateThreshold(50)
                .waitDurationInOpenState(OPEN)
                .permittedNumberOfCallsInHalfOpenState(1)
                .maxWaitDurationInHalfOpenState(Duration.ofMinutes(1))
                .build());
  }

  /** The breakers, by {@code host:port}. */
  public CircuitBreakerRegistry breakers() {
    return breakers;
  }

  /** Removes the breakers of seeds that the settings no longer name. */
  public void follow(ClusterState state) {
    if (breakers.getAllCircuitBreakers().isEmpty()) {
      return;
    }
    Set<String> named =
        ClusterSettings.remoteSeeds(state).values().stream()
            .flatMap(List::stream)
            .collect(Collectors.toSet());
    for (CircuitBreaker breaker : List.copyOf(breakers.getAllCircuitBreakers())) {
      if (!named.contains(breaker.getName())) {
        var _ = breakers.remove(breaker.getName());
      }
    }
  }

  /** The same seeds; those with an open breaker are last. */
  List<String> inOrder(List<String> seeds) {
    List<String> ordered = new ArrayList<>();
    List<String> last = new ArrayList<>();
    for (String seed : seeds) {
      (isOpen(seed) ? last : ordered).add(seed);
    }
    ordered.addAll(last);
    return ordered;
  }

  private boolean isOpen(String seed) {
    CircuitBreaker breaker = breakers.circuitBreaker(seed);
    if (breaker.getState() != CircuitBreaker.State.OPEN) {
      return false;
    }
    // A breaker becomes half open when it is asked for a permission after its time.
    boolean permitted = breaker.tryAcquirePermission();
    if (permitted) {
      breaker.releasePermission();
    }
    return !permitted;
  }

  /** Calls a seed, whether or not its breaker is open, and counts the outcome. */
  <T> T call(String seed, RemoteSeeds.Call<T> call) throws IOException, InterruptedException {
    CircuitBreaker breaker = breakers.circuitBreaker(seed);
    boolean counted = breaker.tryAcquirePermission();
    long began = breaker.getCurrentTimestamp();
    boolean answered = false;
    boolean failed = true;
    try {
      T answer = call.ask(seed);
      answered = true;
      return answer;
    } catch (RemoteCluster.MissingIndexException
        | RemoteCluster.RefusedException
        | RemoteCluster.UnauthorizedException e) {
      answered = true;
      throw e;
    } catch (InterruptedException e) {
      failed = false;
      throw e;
    } finally {
      if (counted) {
        count(breaker, breaker.getCurrentTimestamp() - began, answered, failed);
      }
    }
  }

  private static void count(
      CircuitBreaker breaker, long duration, boolean answered, boolean failed) {
    TimeUnit unit = breaker.getTimestampUnit();
    if (answered) {
      breaker.onSuccess(duration, unit);
    } else if (failed) {
      breaker.onError(duration, unit, new IOException("no valid answer"));
    } else {
      breaker.releasePermission();
    }
  }
}
