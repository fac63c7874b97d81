package io.varve.replication.replica;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The append time of the oldest operation that was read and that no refresh has shown. Times are
 * kept per operation until it is applied; of applied operations only the oldest is kept.
 * Thread-safe.
 */
final class UnshownReads {

  private static final long NOTHING = 0;

  private record Read(long seqNo, long appendedMillis) {}

  private final Deque<Read> unapplied = new ArrayDeque<>();
  private long oldestMillis = NOTHING;

  /** In the order of their numbers. */
  synchronized void read(long seqNo, long appendedMillis) {
    unapplied.add(new Read(seqNo, appendedMillis));
    if (oldestMillis == NOTHING) {
      oldestMillis = appendedMillis;
    }
  }

  /** All before that number are applied. */
  synchronized void applied(long nextSeqNo) {
    while (!unapplied.isEmpty() && unapplied.getFirst().seqNo() < nextSeqNo) {
      unapplied.removeFirst();
    }
  }

  /** A refresh begins, which shows all before that number; what the oldest was until now. */
  synchronized long showing(long nextSeqNo) {
    long before = oldestMillis;
    applied(nextSeqNo);
    oldestMillis = unapplied.isEmpty() ? NOTHING : unapplied.getFirst().appendedMillis();
    return before;
  }

  /** 0 for none. */
  synchronized long oldestMillis() {
    return oldestMillis;
  }
}
