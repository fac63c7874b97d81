package io.varve.coordinator.rest.byquery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {

  private static CompletableFuture<Void> waiting(Throttle throttle, long documents) {
    return CompletableFuture.runAsync(() -> {
      try {
        throttle.await(documents, System.nanoTime());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void withoutARateNobodyWaits() throws Exception {
    Throttle throttle = new Throttle(Float.POSITIVE_INFINITY);

    throttle.await(1_000_000, System.nanoTime());

    assertThat(throttle.waitedMillis()).isLessThan(1_000);
  }

  @Test
  void aBatchHoldsTheNextOneBackByItsSizeOverTheRate() {
    assertThat(new Throttle(50).millisFor(100)).isEqualTo(2_000);
  }

  @Test
  void whoeverWaitsGoesOnWhenTheRateIsRaised() {
    Throttle throttle = new Throttle(0.001f);
    CompletableFuture<Void> waiting = waiting(throttle, 100);

    throttle.change(Float.POSITIVE_INFINITY);

    assertThat(waiting).succeedsWithin(Duration.ofSeconds(20));
  }

  @Test
  void whoeverWaitsGoesOnAtTheEnd() throws Exception {
    Throttle throttle = new Throttle(0.001f);
    CompletableFuture<Void> waiting = waiting(throttle, 100);

    throttle.end();

    waiting.get(20, TimeUnit.SECONDS);
  }
}
