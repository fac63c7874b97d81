package io.varve.host.apply;

/**
 * The local checkpoint of a shard: everything before it is applied, while lanes finish operations
 * in any order.
 *
 * <pre>
 *   next seq_no   the lowest seq_no that is not applied
 *   next offset   after the record of the operation before it
 * </pre>
 *
 * The timestamp of that record identifies it. Both values increase together: a replay that starts
 * at the next offset and expects the next seq_no misses no operation.
 *
 * <p>INVARIANT: {@code offsetAfter[s & mask]} is the offset after operation {@code s}, or 0 while
 * it is not applied, for {@code s} in {@code [nextSeqNo, nextSeqNo + capacity)}; {@code
 * recordMillis} has the timestamps at the same places.
 */
public final class AppliedCheckpoint {

  /** A position in the log up to which everything is applied. */
  public record Position(long nextOffset, long nextSeqNo, long lastRecordMillis) {}

  private long[] offsetAfter = new long[1024];
  private long[] recordMillis = new long[1024];
  private Position position;

  /**
   * @param lastRecordMillis -1 if unknown
   */
  public AppliedCheckpoint(long nextOffset, long nextSeqNo, long lastRecordMillis) {
    if (nextOffset < 0 || nextSeqNo < 0) {
      throw new IllegalArgumentException(
          "checkpoint needs offset and seq_no >= 0, was " + nextOffset + ", " + nextSeqNo);
    }
    position = new Position(nextOffset, nextSeqNo, lastRecordMillis);
  }

  /** Records an applied operation; one below the checkpoint is ignored. */
  public synchronized Position applied(long seqNo, long offset, long timestampMillis) {
    if (seqNo < position.nextSeqNo()) {
      return position;
    }
    while (seqNo - position.nextSeqNo() >= offsetAfter.length) {
      grow();
    }
    offsetAfter[slot(seqNo)] = offset + 1;
    recordMillis[slot(seqNo)] = timestampMillis;
    advance();
    return position;
  }

  /** Skips records without an operation, such as fences, up to {@code nextOffset}. */
  public synchronized void skipTo(long nextOffset, long nextSeqNo, long lastRecordMillis) {
    if (nextSeqNo != position.nextSeqNo() || nextOffset < position.nextOffset()) {
      throw new IllegalArgumentException(
          "cannot skip from " + position + " to " + nextOffset + ", " + nextSeqNo);
    }
    position = new Position(nextOffset, nextSeqNo, lastRecordMillis);
  }

  public synchronized Position position() {
    return position;
  }

  private void advance() {
    long next = position.nextSeqNo();
    long nextOffset = position.nextOffset();
    long lastMillis = position.lastRecordMillis();
    while (offsetAfter[slot(next)] != 0) {
      nextOffset = offsetAfter[slot(next)];
      lastMillis = recordMillis[slot(next)];
      offsetAfter[slot(next)] = 0;
      next++;
    }
    if (next > position.nextSeqNo()) {
      position = new Position(nextOffset, next, lastMillis);
    }
  }

  private void grow() {
    long[] old = offsetAfter;
    long[] oldMillis = recordMillis;
    offsetAfter = new long[old.length * 2];
    recordMillis = new long[old.length * 2];
    long first = position.nextSeqNo();
    for (long seqNo = first; seqNo < first + old.length; seqNo++) {
      int oldSlot = (int) (seqNo & (old.length - 1));
      offsetAfter[slot(seqNo)] = old[oldSlot];
      recordMillis[slot(seqNo)] = oldMillis[oldSlot];
    }
  }

  private int slot(long seqNo) {
    return (int) (seqNo & (offsetAfter.length - 1));
  }
}
