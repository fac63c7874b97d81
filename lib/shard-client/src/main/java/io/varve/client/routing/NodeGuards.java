package io.varve.client.routing;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Two guards for each node: a bulkhead, so that a node that hangs does not occupy all requests of
 * this coordinator, and a circuit breaker, so that a node that fails is not asked each time.
 *
 * <p>A bulkhead is a count with a limit; a changed limit applies from the next search on.
 *
 * <p>A breaker opens when half of the last 20 searches (at least 10) failed, and admits three after
 * a second. What counts:
 *
 * <pre>
 *   error, no connection                                          failed
 *   no answer in time, and no answer to anything else either      failed: it hangs
 *   no answer in time, but answers to other searches, to probes,
 *   or to cancellations, since a second before it began           nothing: it is slow
 *   rejection, error of the request, search that was abandoned    nothing
 * </pre>
 *
 * <p>A slow node is loaded, and the selection of copies avoids it. A breaker that opened because of
 * slowness would remove a healthy node. The last copy of a shard is asked regardless of its
 * breaker. Thread-safe.
 */
public final class NodeGuards {

  private static final long NEVER = Long.MIN_VALUE;

  /** Covers the time until a node has accepted the cancellation of a search that was late. */
  private static final long RECENTLY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String LEFT_ALONE = "node_not_connected_exception";

  private final Ticker clock;
  private final CircuitBreakerRegistry breakers;
  private final Map<String, Guard> guards = new ConcurrentHashMap<>();
  private final LongAdder full = new LongAdder();
  private final LongAdder open = new LongAdder();
  private volatile int mostPerNode = 1024;

  public NodeGuards(Ticker clock) {
    this.clock = clock;
    this.breakers =
        CircuitBreakerRegistry.of(
            CircuitBreakerConfig.custom()
                .clock(new TickerClock(clock))
                .slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(50)
                .waitDurationInOpenState(Duration.ofSeconds(1))
                .permittedNumberOfCallsInHalfOpenState(3)
                .maxWaitDurationInHalfOpenState(Duration.ofSeconds(10))
                .build());
  }

  /** The breakers, by the ids of nodes. Those of departed nodes are removed. */
  public CircuitBreakerRegistry breakers() {
    return breakers;
  }

  /** Adapts a ticker to the breakers' clock; they only compare its instants with each other. */
  private static final class TickerClock extends Clock {

    private final Ticker ticker;

    TickerClock(Ticker ticker) {
      this.ticker = ticker;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(0, ticker.nanos());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private static final class Guard {

    private final AtomicInteger underWay = new AtomicInteger();
    private final CircuitBreaker breaker;
    private volatile long answeredNanos = NEVER;

    Guard(CircuitBreaker breaker) {
      this.breaker = breaker;
    }

    boolean enter(int most) {
      return underWay.getAndUpdate(now -> now < most ? now + 1 : now) < most;
    }

    void leave() {
      underWay.decrementAndGet();
    }

    boolean hasAnsweredSince(long nanos) {
      long last = answeredNanos;
      return last != NEVER && last - nanos >= 0;
    }
  }

  /** One admitted search; it ends once, in one of four ways. */
  public static final class Pass {

    private final Guard guard;
    private final boolean counted;
    private final Ticker clock;
    private final long beganNanos;

    private Pass(Guard guard, boolean counted, Ticker clock) {
      this.guard = guard;
      this.counted = counted;
      this.clock = clock;
      this.beganNanos = clock.nanos();
    }

    void succeeded() {
      guard.answeredNanos = clock.nanos();
      if (counted) {
        guard.breaker.onSuccess(clock.nanos() - beganNanos, TimeUnit.NANOSECONDS);
      }
      guard.leave();
    }

    public void failed(Throwable failure) {
      if (counted) {
        guard.breaker.onError(clock.nanos() - beganNanos, TimeUnit.NANOSECONDS, failure);
      }
      guard.leave();
    }

    /** Ends it without an answer in time. */
    void late(Throwable failure) {
      if (guard.hasAnsweredSince(beganNanos - RECENTLY_NANOS)) {
        ended();
      } else {
        failed(failure);
      }
    }

    /** Ends it with an answer that does not indicate the node's health. */
    void answered() {
      guard.answeredNanos = clock.nanos();
      ended();
    }

    /** Ends it with an outcome that does not concern the node. */
    void ended() {
      if (counted) {
        guard.breaker.releasePermission();
      }
      guard.leave();
    }
  }

  void follow(ClusterState state) {
    mostPerNode = (int) ClusterSettings.number(state, ClusterSettings.NODE_SEARCHES);
    for (String nodeId : List.copyOf(guards.keySet())) {
      if (!state.nodes().containsKey(nodeId) && guards.remove(nodeId) != null) {
        var _ = breakers.remove(nodeId);
      }
    }
  }

  /**
   * Admits a search to a node, or throws the reason.
   *
   * @param last whether no other copy is left
   */
  public Pass enter(String nodeId, boolean last) {
    Guard guard = guards.computeIfAbsent(nodeId, this::create);
    if (!guard.enter(mostPerNode)) {
      full.increment();
      throw new ApiException(
          ErrorBody.of(
              429,
              "rejected_execution_exception",
              "this coordinator has "
                  + mostPerNode
                  + " searches in flight on node ["
                  + nodeId
                  + "], see "
                  + ClusterSettings.NODE_SEARCHES));
    }
    boolean permitted = guard.breaker.tryAcquirePermission();
    if (!permitted && !last) {
      guard.leave();
      open.increment();
      throw new ApiException(
          ErrorBody.of(503, LEFT_ALONE, "the circuit breaker of node [" + nodeId + "] is open"));
    }
    return new Pass(guard, permitted, clock);
  }

  /** Whether a search was not admitted because of a breaker. */
  static boolean isOpen(RuntimeException refusal) {
    return refusal instanceof ApiException refused && refused.error().type().equals(LEFT_ALONE);
  }

  private Guard create(String nodeId) {
    return new Guard(breakers.circuitBreaker(nodeId));
  }

  /** The node answered a request other than a search. */
  public void answered(String nodeId) {
    Guard guard = guards.get(nodeId);
    if (guard != null) {
      guard.answeredNanos = clock.nanos();
    }
  }

  /** {@code closed}, {@code open} or {@code half_open}. */
  public String state(String nodeId) {
    Guard guard = guards.get(nodeId);
    return guard == null ? "closed" : guard.breaker.getState().name().toLowerCase(Locale.ROOT);
  }

  /** Searches in progress. */
  public int underWay() {
    return guards.values().stream().mapToInt(guard -> guard.underWay.get()).sum();
  }

  /** Searches in progress on the node. */
  int underWay(String nodeId) {
    Guard guard = guards.get(nodeId);
    return guard == null ? 0 : guard.underWay.get();
  }

  /** Searches that the bulkhead refused. */
  long full() {
    return full.sum();
  }

  /** Searches that the breaker refused. */
  public long open() {
    return open.sum();
  }
}
