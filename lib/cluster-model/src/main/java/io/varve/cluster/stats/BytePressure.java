package io.varve.cluster.stats;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the bytes of writes in flight, so that a slow downstream can't fill the heap: a write that
 * would exceed the limit is rejected at once. A write is never rejected while no other write is in
 * flight, regardless of its size.
 */
public final class BytePressure {

  private final long limitBytes;
  private final AtomicLong current = new AtomicLong();
  private final LongAdder total = new LongAdder();
  private final LongAdder rejections = new LongAdder();

  public BytePressure(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** A limit for a node that accepts no writes. */
  public static BytePressure none() {
    return new BytePressure(0);
  }

  /**
   * Admits the bytes and returns empty, after which {@link #release} must follow with the same
   * number; or rejects them and returns the bytes in flight.
   */
  public OptionalLong acquire(long bytes) {
    long before = current.getAndAdd(bytes);
    if (before == 0 || before + bytes <= limitBytes) {
      total.add(bytes);
      return OptionalLong.empty();
    }
    current.addAndGet(-bytes);
    rejections.increment();
    return OptionalLong.of(before);
  }

  /** Counts bytes that can no longer be rejected; {@link #release} must follow. */
  public void enter(long bytes) {
    current.addAndGet(bytes);
    total.add(bytes);
  }

  public void release(long bytes) {
    current.addAndGet(-bytes);
  }

  public long limitBytes() {
    return limitBytes;
  }

  public long currentBytes() {
    return current.get();
  }

  /** The total bytes admitted so far. */
  public long totalBytes() {
    return total.sum();
  }

  public long rejections() {
    return rejections.sum();
  }
}
