package io.varve.host;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.IntToLongFunction;

/**
 * The back-off of one place, from the number of copies that failed or lost their gate. Only a copy
 * that stayed started for {@link #LASTING} resets it: a successful start by itself proves little.
 *
 * <pre>
 *   failure        100 ms << failures; the fifth is reported to the leader
 *   closed gate    none the first time, then 100 ms << earlier closings; never reported
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
   * @param pauses milliseconds to wait, by the number of failures so far
   */
  Setbacks(InstantSource clock, IntToLongFunction pauses) {
    this.clock = clock;
    this.pauses = pauses;
  }

  static long pauseMillis(int setbacks) {
    return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(setbacks, 6));
  }

  /** The copy has started. */
  void started() {
    ended();
    running = true;
    startedMillis = clock.millis();
  }

  /** The copy failed or could not be opened. Returns how many milliseconds to wait. */
  long failed() {
    ended();
    failures++;
    return pauses.applyAsLong(failures);
  }

  boolean worthAReport() {
    return failures >= REPORT_FAILURE_AFTER;
  }

  /** The failures were reported to the leader. */
  void reported() {
    failures = 0;
  }

  /**
   * The gate of the copy is closed. Returns how many milliseconds to wait; 0 if this closing is
   * already known.
   */
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
