package io.varve.log;

import io.varve.events.StoredRecord;
import java.util.function.Consumer;

/**
 * Reads a fenced partition up to the reader's own fence, which yields every record accepted before
 * it. Every new writer, of a shard or of the cluster log, recovers its state this way.
 */
public final class FencedReplay {

  private FencedReplay() {}

  /**
   * Visits the accepted records in {@code [fromOffset, fenceOffset]} in order.
   *
   * @param fence the state just before {@code fromOffset}; afterwards the state right after the
   *     fence
   * @return the verdict on the fence at {@code fenceOffset}
   * @throws LogException.OutOfRange at a revival whose earlier operations this reader lacks
   * @throws UnreadableRecordException at the first record whose header has an unknown format
   */
  public static TermFence.Verdict upTo(
      PartitionLog log,
      long fromOffset,
      long fenceOffset,
      TermFence fence,
      Consumer<StoredRecord> accepted)
      throws LogException {
    TermFence.Verdict[] last = {TermFence.Verdict.FENCE_LOST};
    long[] revivedAt = {-1};
    log.read(
        fromOffset,
        fenceOffset + 1,
        stored -> {
          if (revivedAt[0] >= 0) {
            return;
          }
          last[0] = fence.judge(log, stored);
          if (last[0] == TermFence.Verdict.REVIVED) {
            revivedAt[0] = stored.offset();
          }
          if (last[0].accepted()) {
            accepted.accept(stored);
          }
        });
    if (revivedAt[0] >= 0) {
      throw LogBeginning.behind(log, revivedAt[0]);
    }
    return last[0];
  }
}
