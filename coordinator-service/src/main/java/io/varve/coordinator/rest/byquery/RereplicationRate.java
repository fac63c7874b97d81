package io.varve.coordinator.rest.byquery;

import static io.varve.rest.JsonObjects.object;

import io.varve.process.Ticker;
import java.util.Map;

/**
 * Records per second of a job: on average since its start, and the highest between two samples that
 * are at least a second apart. Thread-safe.
 */
final class RereplicationRate {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final Ticker clock;
  private final long beganNanos;
  private long lookedNanos;
  private long looked;
  private double highest;

  RereplicationRate(Ticker clock) {
    this.clock = clock;
    this.beganNanos = clock.nanos();
    this.lookedNanos = beganNanos;
  }

  /** The rates at one moment. */
  record Now(double average, double highest) {

    Map<String, Object> json() {
      return object("avg", average, "max", highest);
    }

    /** The time until that many more records are checked at the average rate; -1 if not known. */
    long etaMillis(long left) {
      if (left == 0) {
        return 0;
      }
      return average == 0 ? -1 : (long) (left * 1_000 / average);
    }
  }

  /**
   * @param checked records since the start
   */
  synchronized Now at(long checked) {
    long now = clock.nanos();
    long sinceLook = now - lookedNanos;
    double average = (double) checked * SECOND_NANOS / Math.max(1, now - beganNanos);
    if (sinceLook >= SECOND_NANOS) {
      highest = Math.max(highest, (double) (checked - looked) * SECOND_NANOS / sinceLook);
      lookedNanos = now;
      looked = checked;
    }
    return new Now(average, Math.max(highest, average));
  }
}
