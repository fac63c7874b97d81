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
 * The proof is an end of the leader's log, requested at that moment, that the follower has reached
 * since. The lag grows while the leader does not answer. While the follower keeps up, it is at most
 * the interval between two requests plus the time of one. Before the first proof it is counted from
 * the start, a lower bound. Only this cluster's clock is used. Not thread-safe.
 */
final class LeaderLag {

  private static final int MOST_OUTSTANDING = 1_024;

  private record End(long offset, long requestedMillis) {}

  /** Ends that the follower has not reached, oldest first. */
  private final Deque<End> outstanding = new ArrayDeque<>();

  private long provenMillis;
  private long heldTo;

  LeaderLag(long nowMillis) {
    this.provenMillis = nowMillis;
  }

  /** Reading begins again at that offset; ends of an earlier reading prove nothing. */
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

  /** The leader's log had that end when it was requested. */
  void leaderEnd(long endOffset, long requestedMillis) {
    End end = new End(endOffset, requestedMillis);
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
    provenMillis = Math.max(provenMillis, end.requestedMillis());
  }

  /** Whether the follower has reached every end that is known. */
  boolean isCurrent() {
    return outstanding.isEmpty();
  }

  long millis(long nowMillis) {
    return Math.max(0, nowMillis - provenMillis);
  }
}
