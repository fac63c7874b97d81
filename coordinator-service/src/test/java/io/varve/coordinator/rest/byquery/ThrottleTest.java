package io.varve.coordinator.rest.byquery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThrottleTest {

  private final AtomicLong nanos = new AtomicLong();

  private Throttle throttle(float perSecond) {
    return new Throttle(perSecond, nanos::get);
  }

  private CompletableFuture<Void> waiting(Throttle throttle, long documents) {
    return CompletableFuture.runAsync(() -> {
      try {
        throttle.await(documents, nanos.get(), Long.MAX_VALUE);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void withoutARateNobodyWaits() throws Exception {
    Throttle throttle = throttle(Float.POSITIVE_INFINITY);

    throttle.await(1_000_000, nanos.get(), Long.MAX_VALUE);

    assertThat(throttle.millisFor(1_000_000)).isZero();
    assertThat(throttle.waitedMillis()).isZero();
  }

  @Test
  void aBatchHoldsTheNextOneBackByItsSizeOverTheRate() {
    assertThat(throttle(50).millisFor(100)).isEqualTo(2_000);
  }

  @Test
  void whoeverWaitsGoesOnWhenTheRateIsRaised() {
    Throttle throttle = throttle(0.001f);
    CompletableFuture<Void> waiting = waiting(throttle, 100);

    throttle.change(Float.POSITIVE_INFINITY);

    assertThat(waiting).succeedsWithin(Duration.ofSeconds(60));
  }

  @Test
  void aLowerRateHoldsBackNoLongerThanWasAnnounced() throws Exception {
    Throttle throttle = throttle(1_000);
    long announced = throttle.millisFor(1);

    throttle.change(0.001f);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(announced));
    throttle.await(1, 0, announced);

    assertThat(throttle.waitedMillis()).isZero();
    assertThat(throttle.millisFor(1)).isGreaterThan(900_000);
  }

  @Test
  void whoeverWaitsGoesOnAtTheEnd() throws Exception {
    Throttle throttle = throttle(0.001f);
    CompletableFuture<Void> waiting = waiting(throttle, 100);

    throttle.end();

    waiting.get(60, TimeUnit.SECONDS);
  }
}
