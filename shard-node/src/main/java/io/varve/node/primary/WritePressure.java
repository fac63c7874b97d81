package io.varve.node.primary;

import io.varve.cluster.figures.IndexingPressure;
import io.varve.rpc.ErrorBody;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bounds the bytes of writes that a node has under way, so that a slow log fills no heap: what does
 * not fit is refused at once. One that is alone is never refused, however large.
 */
public final class WritePressure {

  private final long limitBytes;
  private final AtomicLong current = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final LongAdder total = new LongAdder();

  public WritePressure(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The refusal, or nothing: then {@link #release} must follow with the same number. */
  public Optional<ErrorBody> acquire(long bytes) {
    long before = current.getAndAdd(bytes);
    if (before == 0 || before + bytes <= limitBytes) {
      total.add(bytes);
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

  /** For the node's report; what replicas apply is not under this pressure. */
  public Map<String, Object> figures() {
    return IndexingPressure.figures(
        new IndexingPressure.Bytes(0, current.get()),
        new IndexingPressure.Bytes(0, total.sum()),
        rejected.get(),
        limitBytes);
  }

  static ErrorBody rejection(String reason) {
    return ErrorBody.of(429, "rejected_execution_exception", reason);
  }
}
