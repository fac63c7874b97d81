package io.varve.node.replica;

import io.varve.store.FileFetcher;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import java.time.Duration;
import java.util.Map;

/**
 * How a node's replicas fetch segments; the budget is shared by all of them.
 *
 * @param timeout for each request as a whole: a range of a file, a lease
 */
public record SegmentTransfers(
    FileFetcher.Settings settings, TransferBudget budget, Duration timeout) {

  public static final SegmentTransfers DEFAULT =
      new SegmentTransfers(
          FileFetcher.Settings.DEFAULT, TransferBudget.UNLIMITED, Duration.ofSeconds(30));

  public SegmentTransfers {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be > 0, was " + timeout);
    }
  }

  /**
   * From the settings of a node.
   *
   * @param freshnessBytesPerSecond for copies that serve already, 0 for no limit
   * @param recoveryBytesPerSecond for the first files of a copy, 0 for no limit
   */
  public static SegmentTransfers of(
      int chunkBytes,
      int parallelFiles,
      long freshnessBytesPerSecond,
      long recoveryBytesPerSecond,
      Duration timeout) {
    return new SegmentTransfers(
        new FileFetcher.Settings(chunkBytes, parallelFiles),
        new TransferBudget(
            Map.of(
                TransferLane.FRESHNESS, freshnessBytesPerSecond,
                TransferLane.RECOVERY, recoveryBytesPerSecond)),
        timeout);
  }
}
