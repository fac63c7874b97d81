package io.varve.replication.replica;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * When the oldest operation was appended that was read and that no refresh has shown. Each single
 * one is remembered only until it is applied; behind that the oldest is enough. Thread-safe.
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
