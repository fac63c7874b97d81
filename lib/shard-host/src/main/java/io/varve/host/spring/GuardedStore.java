package io.varve.host.spring;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.varve.events.ShardId;
import io.varve.metrics.BreakerMeters;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/**
 * A circuit breaker in front of a segment store: while the store fails, requests fail immediately
 * instead of after the client's timeouts, so that they do not occupy the permits of uploads.
 * Callers repeat requests with a back-off, as after any failure of the store.
 *
 * <p>The breaker opens when half of the last 20 requests (at least 10) have failed, and admits
 * three requests after {@code varve.store.breaker-open-millis}. A missing object counts as an
 * answer. Unreadable content and an interrupt do not count as failures of the store.
 */
final class GuardedStore implements SegmentStore {

  static final String BREAKER = "segment-store";

  private final SegmentStore store;
  private final CircuitBreaker breaker;

  GuardedStore(SegmentStore store, CircuitBreaker breaker) {
    this.store = store;
    this.breaker = breaker;
  }

  /** The store itself if the breaker is disabled. */
  static SegmentStore of(SegmentStore store, StoreProperties properties, MeterRegistry meters) {
    if (properties.breakerOpenMillis() == 0) {
      return store;
    }
    CircuitBreakerRegistry registry =
        CircuitBreakerRegistry.of(config(Duration.ofMillis(properties.breakerOpenMillis())));
    BreakerMeters.bind(registry, meters);
    return new GuardedStore(store, registry.circuitBreaker(BREAKER));
  }

  static CircuitBreakerConfig config(Duration open) {
    return CircuitBreakerConfig.custom()
        .slidingWindowSize(20)
        .minimumNumberOfCalls(10)
        .failureRateThreshold(50)
        .waitDurationInOpenState(open)
        .permittedNumberOfCallsInHalfOpenState(3)
        .maxWaitDurationInHalfOpenState(Duration.ofMinutes(5))
        .build();
  }

  @FunctionalInterface
  private interface Request<T> {
    T send() throws IOException;
  }

  /** Content of an upload, whose failure is not a failure of the store. */
  private static final class Content extends FilterInputStream {

    private boolean failed;

    Content(InputStream content) {
      super(content);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        failed = true;
        throw e;
      }
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      try {
        return super.read(into, from, length);
      } catch (IOException e) {
        failed = true;
        throw e;
      }
    }
  }

  private <T> T guarded(Request<T> request) throws IOException {
    return guarded(request, new Content(InputStream.nullInputStream()));
  }

  private <T> T guarded(Request<T> request, Content content) throws IOException {
    if (!breaker.tryAcquirePermission()) {
      throw new IOException(
          "the circuit breaker of the segment store is open, because requests to it failed");
    }
    long began = breaker.getCurrentTimestamp();
    try {
      T answer = request.send();
      breaker.onSuccess(breaker.getCurrentTimestamp() - began, breaker.getTimestampUnit());
      return answer;
    } catch (SourceGoneException e) {
      breaker.onSuccess(breaker.getCurrentTimestamp() - began, breaker.getTimestampUnit());
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      if (content.failed || Thread.currentThread().isInterrupted()) {
        breaker.releasePermission();
      } else {
        breaker.onError(breaker.getCurrentTimestamp() - began, breaker.getTimestampUnit(), e);
      }
      throw e;
    }
  }

  @Override
  public void put(Key key, InputStream content, long lengthBytes) throws IOException {
    Content watched = new Content(content);
    boolean _ =
        guarded(
            () -> {
              store.put(key, watched, lengthBytes);
              return true;
            },
            watched);
  }

  @Override
  public boolean exists(Key key) throws IOException {
    return guarded(() -> store.exists(key));
  }

  @Override
  public InputStream open(Key key, long fromByte, long length) throws IOException {
    return guarded(() -> store.open(key, fromByte, length));
  }

  @Override
  public void delete(Key key) throws IOException {
    boolean _ =
        guarded(() -> {
          store.delete(key);
          return true;
        });
  }

  @Override
  public List<Present> list(Kind kind, ShardId shard) throws IOException {
    return guarded(() -> store.list(kind, shard));
  }

  @Override
  public List<ShardId> shards(Kind kind) throws IOException {
    return guarded(() -> store.shards(kind));
  }
}
