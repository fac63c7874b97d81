package io.varve.cluster.stats;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bounds the bytes of writes that are under way somewhere, so that what is slow behind it fills no
 * heap: what does not fit is refused at once. One that is alone is never refused, however large.
 */
public final class BytePressure {

  private final long limitBytes;
  private final AtomicLong current = new AtomicLong();
  private final LongAdder total = new LongAdder();
  private final LongAdder rejections = new LongAdder();

  public BytePressure(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Of a place where nothing is written. */
  public static BytePressure none() {
    return new BytePressure(0);
  }

  /**
   * What was under way already when it does not fit; nothing when it does: then {@link #release}
   * must follow with the same number.
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

  /** Counts what can't be refused any more; {@link #release} must follow. */
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

  /** All that was ever let in. */
  public long totalBytes() {
    return total.sum();
  }

  public long rejections() {
    return rejections.sum();
  }
}
