package io.varve.standalone.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** A clock that a test advances. */
final class ManualClock implements LinkClock {

  private static final long MILLI = 1_000_000;

  private final Set<Long> awaitedMillis = ConcurrentHashMap.newKeySet();
  private long nowNanos;

  @Override
  public synchronized long nanos() {
    return nowNanos;
  }

  @Override
  public synchronized void awaitNanos(long atNanos) throws InterruptedException {
    awaitedMillis.add(atNanos / MILLI);
    while (nowNanos < atNanos) {
      wait();
    }
  }

  synchronized void advanceToMillis(long millis) {
    nowNanos = millis * MILLI;
    notifyAll();
  }

  /** Waits until a thread has waited, or waits, for that time. */
  void awaitThreadThatWaitsForMillis(long millis) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(awaitedMillis).contains(millis));
  }
}
