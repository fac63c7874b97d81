package io.varve.coordinator.rest.document;

import io.varve.cluster.figures.BytePressure;
import io.varve.cluster.figures.IndexingPressure;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Bounds the bytes of writes that this coordinator has on their way to primaries: when those are
 * slow, clients are told so before its heap is full of their documents.
 */
public final class CoordinatingPressure {

  /** What an item takes beside its body and id. */
  private static final int ITEM_BYTES = 128;

  private final BytePressure pressure;

  /**
   * @param limitBytes 0 for a tenth of the heap
   */
  public CoordinatingPressure(long limitBytes) {
    this.pressure =
        new BytePressure(limitBytes > 0 ? limitBytes : Runtime.getRuntime().maxMemory() / 10);
  }

  /** Bytes that are counted until it is closed. */
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

  /** Throws 429 when they don't fit. */
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

  /** Of writes of the coordinator itself, whose course bounds them already. */
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

  /** For the node's report. */
  public Map<String, Object> figures() {
    return IndexingPressure.ofCoordinator(pressure);
  }
}
