package io.varve.selection;

/**
 * How long a node that fails is left alone: 100 ms · 2^k, at most 3.2 s.
 *
 * <pre>
 *   TRUSTED → (failure) RESTING → (time) ON_TRIAL → (success; successes over 1 s if k ≥ 3) TRUSTED
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
  private static final int MOST_DOUBLINGS = 5;

  /** From so many failures on, one success may be luck between two stops. */
  private static final int PROBATION_DOUBLINGS = 3;

  private static final long PROBATION_NANOS = 1_000_000_000;
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
  private boolean succeeding;
  private long succeedingNanos;

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
    succeeding = false;
    untilNanos = nowNanos + (FIRST_NANOS << doublings);
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

  void succeeded(long sentNanos, long nowNanos) {
    if (!failedLast || sentNanos - failureNanos < 0) {
      return;
    }
    if (!succeeding) {
      succeeding = true;
      succeedingNanos = nowNanos;
    }
    failedLast =
        remembered(nowNanos) >= PROBATION_DOUBLINGS && nowNanos - succeedingNanos < PROBATION_NANOS;
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
