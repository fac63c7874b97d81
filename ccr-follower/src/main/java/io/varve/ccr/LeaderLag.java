package io.varve.ccr;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures how far a follower is behind its leader in time.
 *
 * <pre>
 *   lag = now - the last moment at which the follower provably held all that the leader's log had
 * </pre>
 *
 * The proof is an end offset of the leader's log at or after that moment, which the follower has
 * reached since. End offsets come with the operations that are read, and are requested while none
 * arrive. The lag grows while the leader does not answer. While the follower keeps up, the lag is
 * at most the interval between two requests plus the duration of one. Before the first proof it is
 * counted from the start, a lower bound. Only this cluster's clock is used. Not thread-safe.
 */
final class LeaderLag {

  private static final int MOST_OUTSTANDING = 1_024;

  private record End(long offset, long sinceMillis) {}

  /** End offsets that the follower has not reached, oldest first. */
  private final Deque<End> outstanding = new ArrayDeque<>();

  private long provenMillis;
  private long heldTo;

  LeaderLag(long nowMillis) {
    this.provenMillis = nowMillis;
  }

  /**
   * Restarts reading at that offset and drops the end offsets of the earlier reading, which prove
   * nothing any more.
   */
  void resume(long nextOffset) {
    outstanding.clear();
    heldTo = nextOffset;
  }

  /** The follower holds all accepted operations before that offset. */
  void heldTo(long nextOffset) {
    heldTo = Math.max(heldTo, nextOffset);
    while (!outstanding.isEmpty() && outstanding.getFirst().offset() <= heldTo) {
      prove(outstanding.removeFirst());
    }
  }

  /** Records an end offset of the leader's log, and a time that is not later than that end. */
  void leaderEnd(long endOffset, long sinceMillis) {
    End end = new End(endOffset, sinceMillis);
    if (endOffset <= heldTo) {
      prove(end);
      return;
    }
    if (outstanding.size() == MOST_OUTSTANDING) {
      outstanding.removeLast();
    }
    outstanding.addLast(end);
  }

  private void prove(End end) {
    provenMillis = Math.max(provenMillis, end.sinceMillis());
  }

  /** Whether the follower has reached every known end offset. */
  boolean isCurrent() {
    return outstanding.isEmpty();
  }

  long millis(long nowMillis) {
    return Math.max(0, nowMillis - provenMillis);
  }
}
