package io.varve.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Ends calls that take longer than their timeout.
 *
 * <p>Nearly all calls end long before that. A call therefore has an entry in a set and no task of a
 * timer, because waking a timer's thread for each call costs more than the entry. A check of all
 * calls in progress is scheduled for the earliest deadline that was known when it was scheduled.
 *
 * <p>INVARIANT: while a call is in progress, a check is due no later than its deadline.
 */
final class CallTimeouts {

  private static final long NEVER = Long.MAX_VALUE;

  private final Checks checks;
  private final LongSupplier nanos;
  private final long originNanos;
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  /** When the next check is due; written under the lock. */
  private volatile long dueNanos = NEVER;

  /** Runs a check after a delay. */
  @FunctionalInterface
  interface Checks {
    void after(long delayNanos, Runnable check);
  }

  /** A call in progress; compared by identity. */
  final class Call implements AutoCloseable {

    private final long deadlineNanos;
    private final Runnable end;

    private Call(long deadlineNanos, Runnable end) {
      this.deadlineNanos = deadlineNanos;
      this.end = end;
    }

    /** The call has ended; it is not timed out any more. */
    @Override
    public void close() {
      calls.remove(this);
    }
  }

  /**
   * @param nanos a monotonic clock
   */
  CallTimeouts(Checks checks, LongSupplier nanos) {
    this.checks = checks;
    this.nanos = nanos;
    this.originNanos = nanos.getAsLong();
  }

  /**
   * @param end runs once, on the thread of a check, if the call is not closed within the timeout
   */
  Call begin(Duration timeout, Runnable end) {
    long deadlineNanos = now() + Math.min(timeout.toNanos(), NEVER / 2);
    Call call = new Call(deadlineNanos, end);
    calls.add(call);
    if (deadlineNanos < dueNanos) {
      checkAt(deadlineNanos);
    }
    return call;
  }

  private long now() {
    return nanos.getAsLong() - originNanos;
  }

  private synchronized void checkAt(long deadlineNanos) {
    if (deadlineNanos < dueNanos) {
      dueNanos = deadlineNanos;
      checks.after(Math.max(0, deadlineNanos - now()), this::check);
    }
  }

  private void check() {
    long now = now();
    synchronized (this) {
      if (now < dueNanos) {
        // Scheduled before an earlier check, which has taken its place.
        return;
      }
      // A call that begins from here on schedules its own check.
      dueNanos = NEVER;
    }
    List<Call> late = new ArrayList<>();
    long earliestNanos = NEVER;
    for (Call call : calls) {
      if (call.deadlineNanos <= now) {
        late.add(call);
      } else {
        earliestNanos = Math.min(earliestNanos, call.deadlineNanos);
      }
    }
    if (earliestNanos != NEVER) {
      checkAt(earliestNanos);
    }
    for (Call call : late) {
      if (calls.remove(call)) {
        call.end.run();
      }
    }
  }
}
