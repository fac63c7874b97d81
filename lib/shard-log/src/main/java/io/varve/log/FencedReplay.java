package io.varve.log;

import io.varve.events.StoredRecord;
import java.util.function.Consumer;

/**
 * Reads a fenced partition up to the reader's own fence, which tells it all that was accepted
 * before: the one way in which a new writer, of a shard or of the cluster log, learns where it
 * stands.
 */
public final class FencedReplay {

  private FencedReplay() {}

  /**
   * Visits the accepted records in {@code [fromOffset, fenceOffset]} in order.
   *
   * @param fence the state just before {@code fromOffset}; afterwards the state right behind the
   *     fence
   * @return what became of the fence at {@code fenceOffset}
   * @throws UnreadableRecordException at the first record with a header of no known form
   */
  public static TermFence.Verdict upTo(
      PartitionLog log,
      long fromOffset,
      long fenceOffset,
      TermFence fence,
      Consumer<StoredRecord> accepted)
      throws LogException {
    TermFence.Verdict[] last = {TermFence.Verdict.FENCE_LOST};
    log.read(
        fromOffset,
        fenceOffset + 1,
        stored -> {
          last[0] = fence.judge(log, stored);
          if (last[0].accepted()) {
            accepted.accept(stored);
          }
        });
    return last[0];
  }
}
