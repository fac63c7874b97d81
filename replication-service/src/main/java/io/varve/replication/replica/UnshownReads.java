package io.varve.replication.replica;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The append time of the oldest operation that was read but not shown by any refresh. Times are
 * kept per operation until it is applied; of applied operations only the oldest is kept.
 * Thread-safe.
 */
final class UnshownReads {

  private static final long NOTHING = 0;

  private record Read(long seqNo, long appendedMillis) {}

  private final Deque<Read> unapplied = new ArrayDeque<>();
  private long oldestMillis = NOTHING;

  /** Must be called in the order of the seq_nos. */
  synchronized void read(long seqNo, long appendedMillis) {
    unapplied.add(new Read(seqNo, appendedMillis));
    if (oldestMillis == NOTHING) {
      oldestMillis = appendedMillis;
    }
  }

  /** All operations before {@code nextSeqNo} are applied. */
  synchronized void applied(long nextSeqNo) {
    while (!unapplied.isEmpty() && unapplied.getFirst().seqNo() < nextSeqNo) {
      unapplied.removeFirst();
    }
  }

  /**
   * Called when a refresh begins that shows all operations before {@code nextSeqNo}; returns the
   * oldest append time until now.
   */
  synchronized long showing(long nextSeqNo) {
    long before = oldestMillis;
    applied(nextSeqNo);
    oldestMillis = unapplied.isEmpty() ? NOTHING : unapplied.getFirst().appendedMillis();
    return before;
  }

  /** The oldest append time; 0 for none. */
  synchronized long oldestMillis() {
    return oldestMillis;
  }
}
