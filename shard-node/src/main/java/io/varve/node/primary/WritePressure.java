package io.varve.node.primary;

import io.varve.rpc.ErrorBody;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of writes that a node has under way, so that a slow log fills no heap: what does
 * not fit is refused at once. One that is alone is never refused, however large.
 */
public final class WritePressure {

  private final long limitBytes;
  private final AtomicLong current = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();

  public WritePressure(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The refusal, or nothing: then {@link #release} must follow with the same number. */
  public Optional<ErrorBody> acquire(long bytes) {
    long before = current.getAndAdd(bytes);
    if (before == 0 || before + bytes <= limitBytes) {
      return Optional.empty();
    }
    current.addAndGet(-bytes);
    rejected.incrementAndGet();
    return Optional.of(
        rejection(
            "rejected execution of primary operation [current_primary_bytes="
                + before
                + ", primary_operation_bytes="
                + bytes
                + ", max_primary_bytes="
                + limitBytes
                + "]"));
  }

  public void release(long bytes) {
    current.addAndGet(-bytes);
  }

  public long currentBytes() {
    return current.get();
  }

  public long rejections() {
    return rejected.get();
  }

  static ErrorBody rejection(String reason) {
    return ErrorBody.of(429, "rejected_execution_exception", reason);
  }
}
