package io.varve.coordinator.rest.document;

import io.varve.cluster.stats.BytePressure;
import io.varve.cluster.stats.IndexingPressure;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Limits the bytes of in-flight writes from this coordinator to primaries. If primaries are slow,
 * clients get 429 before documents fill the heap.
 */
public final class CoordinatingPressure {

  /** Estimated overhead of an item beyond its body and id. */
  private static final int ITEM_BYTES = 128;

  private final BytePressure pressure;

  /**
   * @param limitBytes the limit; 0 for a tenth of the heap
   */
  public CoordinatingPressure(long limitBytes) {
    this.pressure =
        new BytePressure(limitBytes > 0 ? limitBytes : Runtime.getRuntime().maxMemory() / 10);
  }

  /** Bytes that count against the limit until this object is closed. */
  final class Held implements AutoCloseable {
    private final long bytes;

    private Held(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void close() {
      pressure.release(bytes);
    }
  }

  /** Counts the items; throws 429 if they would exceed the limit. */
  Held acquire(List<BulkItem> items) {
    long bytes = sizeBytes(items);
    OptionalLong before = pressure.acquire(bytes);
    if (before.isPresent()) {
      long underWay = before.getAsLong();
      throw new ApiException(
          ErrorBody.of(
              429,
              "rejected_execution_exception",
              "rejected execution of coordinating operation [coordinating_and_primary_bytes="
                  + underWay
                  + ", replica_bytes=0, all_bytes="
                  + underWay
                  + ", coordinating_operation_bytes="
                  + bytes
                  + ", max_coordinating_and_primary_bytes="
                  + pressure.limitBytes()
                  + "]"));
    }
    return new Held(bytes);
  }

  /**
   * Counts writes of the coordinator's own features without a limit, because these features limit
   * their writes themselves.
   */
  Held enter(List<BulkItem> items) {
    long bytes = sizeBytes(items);
    pressure.enter(bytes);
    return new Held(bytes);
  }

  private static long sizeBytes(List<BulkItem> items) {
    return items.stream()
        .mapToLong(item -> item.write().bodyLength() + 2L * item.write().id().length() + ITEM_BYTES)
        .sum();
  }

  public long currentBytes() {
    return pressure.currentBytes();
  }

  public long rejections() {
    return pressure.rejections();
  }

  /** Returns the statistics for the node stats. */
  public Map<String, Object> stats() {
    return IndexingPressure.ofCoordinator(pressure);
  }
}
