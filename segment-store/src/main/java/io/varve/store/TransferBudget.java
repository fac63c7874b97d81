package io.varve.store;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The budgets of a node's transfer lanes. A lane without a limit never waits. */
public final class TransferBudget {

  public static final TransferBudget UNLIMITED = new TransferBudget(Map.of());

  private final Map<TransferLane, TokenBucket> buckets = new EnumMap<>(TransferLane.class);

  /** A limit of 0 bytes per second, or none, is no limit. */
  public TransferBudget(Map<TransferLane, Long> bytesPerSecond) {
    bytesPerSecond.forEach((lane, limit) -> {
      if (limit < 0) {
        throw new IllegalArgumentException(
            "bytes per second of lane " + lane + " must be >= 0, was " + limit);
      }
      if (limit > 0) {
        buckets.put(lane, new TokenBucket(limit, System.nanoTime()));
      }
    });
  }

  /** Waits until the lane's budget allows the bytes to be moved. */
  void await(TransferLane lane, long bytes) throws InterruptedException {
    TokenBucket bucket = buckets.get(lane);
    if (bucket != null) {
      TimeUnit.NANOSECONDS.sleep(bucket.reserve(bytes, System.nanoTime()));
    }
  }
}
