package io.varve.shard.primary;

import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;

/**
 * Finds out whether a shard's log has the shard's first operations. It lacks them if the shard
 * began with segments of another cluster. Rejected records, such as those of a primary that was
 * replaced, do not count.
 */
public final class FirstOperations {

  private static final int FEW_RECORDS = 64;

  private FirstOperations() {}

  /**
   * Whether a reader that holds nothing accepts an operation before that offset. Reads up to the
   * first one.
   */
  public static boolean areIn(PartitionLog log, long endOffset) throws LogException {
    TermFence fence = new TermFence();
    boolean[] accepted = {false};
    for (long from = log.startOffset(); from < endOffset && !accepted[0]; from += FEW_RECORDS) {
      log.read(
          from,
          Math.min(endOffset, from + FEW_RECORDS),
          stored -> accepted[0] |= fence.judge(log, stored).accepted());
    }
    return accepted[0];
  }
}
