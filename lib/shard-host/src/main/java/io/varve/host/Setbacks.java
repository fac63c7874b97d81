package io.varve.host;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.IntToLongFunction;

/**
 * How often a place had to begin again, and so how long it waits before it does. Only a copy that
 * has lasted makes up for those before it: a start that goes well says little of what comes then.
 *
 * <pre>
 *   failure        100 ms << failures, and the fifth is the leader's to know
 *   closed gate    at once, then 100 ms << those before; of a sound copy, so never reported
 * </pre>
 *
 * For one thread.
 */
final class Setbacks {

  static final int REPORT_FAILURE_AFTER = 5;
  static final Duration LASTING = Duration.ofSeconds(60);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final InstantSource clock;
  private final IntToLongFunction pauses;
  private int failures;
  private int closedGates;
  private boolean running;
  private long startedMillis;

  Setbacks(InstantSource clock) {
    this(clock, Setbacks::pauseMillis);
  }

  /**
   * @param pauses milliseconds to wait, by the number of setbacks so far
   */
  Setbacks(InstantSource clock, IntToLongFunction pauses) {
    this.clock = clock;
    this.pauses = pauses;
  }

  static long pauseMillis(int setbacks) {
    return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(setbacks, 6));
  }

  /** What is here now has started. */
  void started() {
    ended();
    running = true;
    startedMillis = clock.millis();
  }

  /** What is here, or was to be, can't go on; how long to wait. */
  long failed() {
    ended();
    failures++;
    return pauses.applyAsLong(failures);
  }

  boolean worthAReport() {
    return failures >= REPORT_FAILURE_AFTER;
  }

  /** The leader knows. */
  void reported() {
    failures = 0;
  }

  /** What is here may no longer write; how long to wait, which is none for the same gate again. */
  long gateClosed() {
    if (!running) {
      return 0;
    }
    ended();
    return closedGates++ == 0 ? 0 : pauses.applyAsLong(closedGates - 1);
  }

  private void ended() {
    if (running && clock.millis() - startedMillis >= LASTING.toMillis()) {
      failures = 0;
      closedGates = 0;
    }
    running = false;
  }
}
