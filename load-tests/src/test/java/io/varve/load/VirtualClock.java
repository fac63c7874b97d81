package io.varve.load;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Virtual time, which advances only by waits and by {@link #pass}. */
final class VirtualClock implements LoadClock {

  private final AtomicLong now = new AtomicLong();

  void pass(long nanos) {
    now.addAndGet(nanos);
  }

  @Override
  public long nanos() {
    return now.get();
  }

  @Override
  public Instant now() {
    return Instant.ofEpochSecond(0, now.get());
  }

  @Override
  public void sleepNanos(long nanos) {
    pass(Math.max(0, nanos));
  }
}
