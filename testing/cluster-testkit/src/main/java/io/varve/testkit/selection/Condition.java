package io.varve.testkit.selection;

import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** The health of a node over time. Times are milliseconds since the start. */
public interface Condition {

  Condition HEALTHY = now -> 1;

  /** Factor of execution times compared with a healthy node. */
  double slowness(long nowMillis);

  /** Whether it answers each request with an immediate error. */
  default boolean failing(long nowMillis) {
    return false;
  }

  /** Whether it refuses connections. */
  default boolean absent(long nowMillis) {
    return false;
  }

  /**
   * The end of the current pause, in which it neither works nor answers; now or earlier if there is
   * none.
   */
  default long pausedUntilMillis(long nowMillis) {
    return 0;
  }

  static Condition slow(double factor) {
    return now -> factor;
  }

  static Condition slowBetween(double factor, long fromMillis, long untilMillis) {
    return now -> now >= fromMillis && now < untilMillis ? factor : 1;
  }

  /** Slow for {@code burstMillis} of each {@code everyMillis}. */
  static Condition bursts(double factor, long burstMillis, long everyMillis) {
    return now -> now % everyMillis < burstMillis ? factor : 1;
  }

  static Condition failingBetween(long fromMillis, long untilMillis) {
    return new Condition() {
      @Override
      public double slowness(long nowMillis) {
        return 1;
      }

      @Override
      public boolean failing(long nowMillis) {
        return nowMillis >= fromMillis && nowMillis < untilMillis;
      }
    };
  }

  /**
   * Absent until a moment, then {@code factor} times slower, decaying with time constant {@code
   * tauMillis}.
   */
  static Condition coldStart(long untilMillis, double factor, double tauMillis) {
    return new Condition() {
      @Override
      public double slowness(long nowMillis) {
        return 1 + (factor - 1) * StrictMath.exp(-(nowMillis - untilMillis) / tauMillis);
      }

      @Override
      public boolean absent(long nowMillis) {
        return nowMillis < untilMillis;
      }
    };
  }

  /** Stopped for {@code stoppedMillis} of each {@code everyMillis}. */
  static Condition stopped(long stoppedMillis, long everyMillis) {
    return new Condition() {
      @Override
      public double slowness(long nowMillis) {
        return 1;
      }

      @Override
      public long pausedUntilMillis(long nowMillis) {
        long phase = nowMillis % everyMillis;
        return phase < stoppedMillis ? nowMillis - phase + stoppedMillis : 0;
      }
    };
  }

  /** One stop between two moments. */
  static Condition stoppedBetween(long fromMillis, long untilMillis) {
    return new Condition() {
      @Override
      public double slowness(long nowMillis) {
        return 1;
      }

      @Override
      public long pausedUntilMillis(long nowMillis) {
        return nowMillis >= fromMillis && nowMillis < untilMillis ? untilMillis : 0;
      }
    };
  }

  /** Pauses of 0.5 to 1.5 s at random moments, one in ten seconds on average. */
  static Condition pauses(RandomGenerator random, long horizonMillis) {
    TreeMap<Long, Long> pauses = new TreeMap<>();
    long at = 0;
    while (at < horizonMillis) {
      at += (long) RandomStreams.exponential(random, 10_000);
      long until = at + 500 + random.nextInt(1000);
      pauses.put(at, until);
      at = until;
    }
    return new Condition() {
      @Override
      public double slowness(long nowMillis) {
        return 1;
      }

      @Override
      public long pausedUntilMillis(long nowMillis) {
        Map.Entry<Long, Long> last = pauses.floorEntry(nowMillis);
        return last == null ? 0 : last.getValue();
      }
    };
  }
}
