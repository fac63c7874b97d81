package io.varve.shard.primary;

import io.varve.cluster.stats.BytePressure;
import io.varve.cluster.stats.IndexingPressure;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/** Limits the bytes of writes that a node's primaries have in flight or waiting. */
public final class WritePressure {

  private final BytePressure pressure;

  public WritePressure(long limitBytes) {
    this.pressure = new BytePressure(limitBytes);
  }

  /**
   * Reserved bytes, which are released when the last holder closes. A request may be answered
   * before all of its writes are completed.
   */
  public static final class Room implements AutoCloseable {

    private final AtomicInteger holders = new AtomicInteger(1);
    private final Runnable release;

    private Room(Runnable release) {
      this.release = release;
    }

    /** Adds a holder, which must also call {@link #close}. */
    Room hold() {
      holders.incrementAndGet();
      return this;
    }

    @Override
    public void close() {
      if (holders.decrementAndGet() == 0) {
        release.run();
      }
    }
  }

  /**
   * Reserves memory, if possible before the bytes are read.
   *
   * @throws ApiException 429 when in-flight bytes exceed the limit
   */
  public Room admit(long bytes) {
    OptionalLong before = pressure.acquire(bytes);
    if (before.isPresent()) {
      throw new ApiException(
          rejection(
              "rejected execution of primary operation [current_primary_bytes="
                  + before.getAsLong()
                  + ", primary_operation_bytes="
                  + bytes
                  + ", max_primary_bytes="
                  + pressure.limitBytes()
                  + "]"));
    }
    return new Room(() -> pressure.release(bytes));
  }

  public long currentBytes() {
    return pressure.currentBytes();
  }

  public long rejections() {
    return pressure.rejections();
  }

  /** The section of the node's statistics. */
  public Map<String, Object> stats() {
    return IndexingPressure.ofPrimaries(pressure);
  }

  static ErrorBody rejection(String reason) {
    return ErrorBody.of(429, "rejected_execution_exception", reason);
  }
}
