package io.varve.selection;

/**
 * Trust in a node after failures: each failure suspends it for 100 ms · 2^k, at most 3.2 s.
 *
 * <pre>
 *   TRUSTED → (failure) SUSPENDED → (time) ON_TRIAL → (success; successes over 1 s if k ≥ 3) TRUSTED
 *                                             ↘ (failure) SUSPENDED
 * </pre>
 *
 * k counts failures and decays by one every 5 s, not on success, since a node that pauses for most
 * of every second still succeeds in between. A rejection for lack of capacity is not a failure: the
 * node is suspended, but k does not change. The failures of requests that were in flight at the
 * first failure count as one. Not thread-safe.
 */
final class FailureBackOff {

  private static final long FIRST_NANOS = 100_000_000;
  private static final int MOST_DOUBLINGS = 5;

  /**
   * From this number of failures on, a single success is no proof, because it may fall between two
   * pauses.
   */
  private static final int PROBATION_DOUBLINGS = 3;

  private static final long PROBATION_NANOS = 1_000_000_000;
  private static final long FORGET_NANOS = 5_000_000_000L;

  enum State {
    TRUSTED,
    ON_TRIAL,
    SUSPENDED
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
    suspend(nowNanos);
    doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
  }

  void refused(long sentNanos, long nowNanos) {
    if (!underWayAtLastFailure(sentNanos)) {
      suspend(nowNanos);
    }
  }

  private boolean underWayAtLastFailure(long sentNanos) {
    return failedLast && sentNanos - failureNanos < 0;
  }

  private void suspend(long nowNanos) {
    doublings = remembered(nowNanos);
    failedLast = true;
    failureNanos = nowNanos;
    succeeding = false;
    untilNanos = nowNanos + (FIRST_NANOS << doublings);
  }

  /** Whether it failed recently. */
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
    return untilNanos - nowNanos > 0 ? State.SUSPENDED : State.ON_TRIAL;
  }

  long remainingNanos(long nowNanos) {
    return failedLast ? Math.max(0, untilNanos - nowNanos) : 0;
  }
}
