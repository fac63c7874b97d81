package io.varve.selection;

/**
 * How long a node that fails is left alone: 100 ms · 2^k, at most 10 s.
 *
 * <pre>
 *   TRUSTED → (failure) RESTING → (time) ON_TRIAL → (success) TRUSTED
 *                                             ↘ (failure) RESTING
 * </pre>
 *
 * k counts failures and is forgotten by one each 5 s, not by a success: a node that is stopped for
 * most of every second does well between two stops. A refusal for want of room is no failure of the
 * node: it rests, and k stays. Requests already under way when the node began to fail fail
 * together: they count as one. Not thread-safe.
 */
final class BackOff {

  private static final long FIRST_NANOS = 100_000_000;
  private static final long MOST_NANOS = 10_000_000_000L;
  private static final int MOST_DOUBLINGS = 7;
  private static final long FORGET_NANOS = 5_000_000_000L;

  enum State {
    TRUSTED,
    ON_TRIAL,
    RESTING
  }

  private boolean failedLast;
  private int doublings;
  private long failureNanos;
  private long untilNanos;

  /** A request or probe sent at {@code sentNanos} failed. */
  void failed(long sentNanos, long nowNanos) {
    if (underWayAtLastFailure(sentNanos)) {
      return;
    }
    rest(nowNanos);
    doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
  }

  void refused(long sentNanos, long nowNanos) {
    if (!underWayAtLastFailure(sentNanos)) {
      rest(nowNanos);
    }
  }

  private boolean underWayAtLastFailure(long sentNanos) {
    return failedLast && sentNanos - failureNanos < 0;
  }

  private void rest(long nowNanos) {
    doublings = remembered(nowNanos);
    failedLast = true;
    failureNanos = nowNanos;
    untilNanos = nowNanos + Math.min(MOST_NANOS, FIRST_NANOS << doublings);
  }

  /** Whether it failed lately. */
  boolean remembers(long nowNanos) {
    return remembered(nowNanos) > 0;
  }

  private int remembered(long nowNanos) {
    return doublings == 0
        ? 0
        : (int) Math.max(0, doublings - (nowNanos - failureNanos) / FORGET_NANOS);
  }

  void succeeded(long sentNanos) {
    if (sentNanos - failureNanos >= 0) {
      failedLast = false;
    }
  }

  State state(long nowNanos) {
    if (!failedLast) {
      return State.TRUSTED;
    }
    return untilNanos - nowNanos > 0 ? State.RESTING : State.ON_TRIAL;
  }

  long remainingNanos(long nowNanos) {
    return failedLast ? Math.max(0, untilNanos - nowNanos) : 0;
  }
}
