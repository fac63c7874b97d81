package io.varve.search.aggregation.rounding;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;

/**
 * Rounds times down to the start of their interval, by the clock and calendar of a time zone.
 *
 * <p>Units of a day or more begin at the first moment of a local day. Shorter units and fixed
 * intervals are multiples on the local clock within a period of constant UTC offset. If the
 * multiple is before that period, the time before the transition is rounded instead; a multiple
 * that the clock skipped is replaced by the moment of the transition. An offset shifts all starts.
 */
public final class Rounding {

  /** The length of an interval; 0 for units of a day or more. */
  private final long stepMillis;

  private final CalendarUnit unit;
  private final ZoneId zone;
  private final ZoneRules rules;
  private final long offsetMillis;
  private final long fixedOffsetMillis;
  private final boolean fixed;

  private Rounding(long stepMillis, CalendarUnit unit, ZoneId zone, long offsetMillis) {
    this.stepMillis = stepMillis;
    this.unit = unit;
    this.zone = zone;
    this.rules = zone.getRules();
    this.offsetMillis = offsetMillis;
    this.fixed = rules.isFixedOffset();
    this.fixedOffsetMillis = fixed ? rules.getOffset(Instant.EPOCH).getTotalSeconds() * 1000L : 0;
  }

  public static Rounding calendar(CalendarUnit unit, ZoneId zone, long offsetMillis) {
    return new Rounding(unit.isDateBased() ? 0 : unit.typicalMillis(), unit, zone, offsetMillis);
  }

  public static Rounding fixed(long millis, ZoneId zone, long offsetMillis) {
    if (millis <= 0) {
      throw new IllegalArgumentException("an interval must be longer than 0, was " + millis);
    }
    return new Rounding(millis, CalendarUnit.SECOND, zone, offsetMillis);
  }

  public ZoneId zone() {
    return zone;
  }

  /** The start of the interval that contains a time. */
  public long round(long millis) {
    return roundPlain(millis - offsetMillis) + offsetMillis;
  }

  /** The start of the interval that follows the one starting here. */
  public long next(long start) {
    long plain = start - offsetMillis;
    if (stepMillis > 0) {
      return nextStep(plain) + offsetMillis;
    }
    LocalDate day = localDay(plain);
    LocalDate following =
        switch (unit) {
          case DAY -> day.plusDays(1);
          case WEEK -> day.plusWeeks(1);
          case MONTH -> day.plusMonths(1);
          case QUARTER -> day.plusMonths(3);
          default -> day.plusYears(1);
        };
    return startOf(following) + offsetMillis;
  }

  private long nextStep(long plain) {
    if (fixed) {
      return plain + stepMillis;
    }
    // At a clock change an interval may be shorter or longer than the unit.
    long later = plain + stepMillis;
    long next = roundPlain(later);
    while (next <= plain) {
      later += stepMillis;
      next = roundPlain(later);
    }
    ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochMilli(plain));
    if (change != null && change.toEpochSecond() * 1000L < next) {
      long atChange = roundPlain(change.toEpochSecond() * 1000L);
      return atChange > plain ? Math.min(atChange, next) : next;
    }
    return next;
  }

  private long roundPlain(long millis) {
    if (stepMillis == 0) {
      return startOf(floorDay(localDay(millis)));
    }
    return fixed ? floor(millis + fixedOffsetMillis) - fixedOffsetMillis : floorOnClock(millis);
  }

  private long floor(long local) {
    return Math.floorDiv(local, stepMillis) * stepMillis;
  }

  private long floorOnClock(long millis) {
    long at = millis;
    while (true) {
      Instant instant = Instant.ofEpochMilli(at);
      long offset = rules.getOffset(instant).getTotalSeconds() * 1000L;
      long local = floor(at + offset);
      long start = local - offset;
      ZoneOffsetTransition change = rules.previousTransition(instant.plusMillis(1));
      long changed = change == null ? Long.MIN_VALUE : change.toEpochSecond() * 1000L;
      if (change == null || start >= changed) {
        return start;
      }
      long clockBefore = changed + change.getOffsetBefore().getTotalSeconds() * 1000L;
      if (change.isGap() && local >= clockBefore) {
        return changed;
      }
      at = changed - 1;
    }
  }

  private LocalDate localDay(long millis) {
    long offset =
        fixed
            ? fixedOffsetMillis
            : rules.getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds() * 1000L;
    return LocalDate.ofEpochDay(Math.floorDiv(millis + offset, 86_400_000L));
  }

  private LocalDate floorDay(LocalDate day) {
    return switch (unit) {
      case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> day.withDayOfMonth(1);
      case QUARTER -> day.with(IsoFields.DAY_OF_QUARTER, 1);
      case YEAR -> day.withDayOfYear(1);
      default -> day;
    };
  }

  private long startOf(LocalDate day) {
    if (fixed) {
      return day.toEpochDay() * 86_400_000L - fixedOffsetMillis;
    }
    return day.atStartOfDay(zone).toInstant().toEpochMilli();
  }

  /**
   * A rounding for many times within a range. It computes the starts of all intervals in advance
   * when they are few.
   */
  public Prepared prepare(long min, long max) {
    long first = round(min);
    if (fixed && stepMillis > 0) {
      return new Prepared(this, new long[0], 0, first);
    }
    long[] starts = new long[16];
    int count = 0;
    for (long at = first; at <= max && count < Prepared.MOST; at = next(at)) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, count * 2);
      }
      starts[count++] = at;
    }
    long end = count == 0 ? first : next(starts[count - 1]);
    return end > max
        ? new Prepared(this, starts, count, end)
        : new Prepared(this, new long[0], 0, first);
  }

  /**
   * Rounds times, with precomputed starts for those in a known range. Not thread-safe: it caches
   * its last position.
   */
  public static final class Prepared {
    private static final int MOST = 8192;

    private final Rounding rounding;
    private final long[] starts;
    private final int count;
    private final long end;
    private long from = Long.MAX_VALUE;
    private long until = Long.MIN_VALUE;

    /**
     * @param end of the last interval
     */
    private Prepared(Rounding rounding, long[] starts, int count, long end) {
      this.rounding = rounding;
      this.starts = starts;
      this.count = count;
      this.end = end;
    }

    public long round(long millis) {
      if (millis >= from && millis < until) {
        return from;
      }
      if (count == 0 || millis >= end) {
        return rounding.round(millis);
      }
      int at = Arrays.binarySearch(starts, 0, count, millis);
      int index = at >= 0 ? at : -at - 2;
      if (index < 0) {
        return rounding.round(millis);
      }
      from = starts[index];
      until = index + 1 < count ? starts[index + 1] : end;
      return from;
    }
  }
}
