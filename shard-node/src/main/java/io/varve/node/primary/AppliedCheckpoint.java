package io.varve.node.primary;

/**
 * How far a shard is applied without a hole, while lanes finish operations in any order.
 *
 * <pre>
 *   next seq_no   the lowest seq_no that is not applied
 *   next offset   behind the record of the operation before it
 * </pre>
 *
 * Both rise together: replaying from next offset, expecting next seq_no, misses nothing.
 *
 * <p>INVARIANT: {@code offsetAfter[s & mask]} is the offset behind operation {@code s}, or 0 while
 * it is not applied, for {@code s} in {@code [nextSeqNo, nextSeqNo + capacity)}.
 */
public final class AppliedCheckpoint {

  /** A place up to which everything is applied. */
  public record Position(long nextOffset, long nextSeqNo) {}

  private long[] offsetAfter = new long[1024];
  private Position position;

  public AppliedCheckpoint(long nextOffset, long nextSeqNo) {
    if (nextOffset < 0 || nextSeqNo < 0) {
      throw new IllegalArgumentException(
          "checkpoint needs offset and seq_no >= 0, was " + nextOffset + ", " + nextSeqNo);
    }
    position = new Position(nextOffset, nextSeqNo);
  }

  /** An operation is applied. Below the checkpoint it changes nothing. */
  public synchronized Position applied(long seqNo, long offset) {
    if (seqNo < position.nextSeqNo()) {
      return position;
    }
    while (seqNo - position.nextSeqNo() >= offsetAfter.length) {
      grow();
    }
    offsetAfter[slot(seqNo)] = offset + 1;
    advance();
    return position;
  }

  /** Records up to {@code offset} that carry no operation were read: a fence, say. */
  public synchronized void skipTo(long nextOffset, long nextSeqNo) {
    if (nextSeqNo != position.nextSeqNo() || nextOffset < position.nextOffset()) {
      throw new IllegalArgumentException(
          "cannot skip from " + position + " to " + nextOffset + ", " + nextSeqNo);
    }
    position = new Position(nextOffset, nextSeqNo);
  }

  public synchronized Position position() {
    return position;
  }

  private void advance() {
    long next = position.nextSeqNo();
    long nextOffset = position.nextOffset();
    while (offsetAfter[slot(next)] != 0) {
      nextOffset = offsetAfter[slot(next)];
      offsetAfter[slot(next)] = 0;
      next++;
    }
    if (next > position.nextSeqNo()) {
      position = new Position(nextOffset, next);
    }
  }

  private void grow() {
    long[] old = offsetAfter;
    offsetAfter = new long[old.length * 2];
    long first = position.nextSeqNo();
    for (long seqNo = first; seqNo < first + old.length; seqNo++) {
      offsetAfter[slot(seqNo)] = old[(int) (seqNo & (old.length - 1))];
    }
  }

  private int slot(long seqNo) {
    return (int) (seqNo & (offsetAfter.length - 1));
  }
}
