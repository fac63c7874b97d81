package io.varve.search.mapping;

import io.varve.rpc.ErrorBody;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * Evaluates date math in queries: {@code now-1d/d} or {@code 2014-01-01||+1M/d}. {@code +n} and
 * {@code -n} add and subtract units. {@code /} rounds down to the first millisecond of the unit or,
 * if the end of a range is requested, up to its last.
 */
public final class DateMath {

  private final DateFormat format;
  private final long nowMillis;
  private final ZoneId zone;

  public DateMath(DateFormat format, long nowMillis, ZoneId zone) {
    this.format = format;
    this.nowMillis = nowMillis;
    this.zone = zone;
  }

  public long millis(String text, boolean toEnd) {
    return instant(text, toEnd).toEpochMilli();
  }

  /** Evaluates date math with nanoseconds. */
  public Instant instant(String text, boolean toEnd) {
    if (text.startsWith("now")) {
      return apply(text, 3, Instant.ofEpochMilli(nowMillis), toEnd);
    }
    int bars = text.indexOf("||");
    if (bars < 0) {
      return plain(text, toEnd);
    }
    return apply(text, bars + 2, plain(text.substring(0, bars), false), toEnd);
  }

  private Instant plain(String text, boolean toEnd) {
    try {
      return format.instant(text, zone, toEnd);
    } catch (ValueException e) {
      ErrorBody cause = e.error();
      ErrorBody inner = cause.causedBy();
      String detail = inner == null ? cause.reason() : inner.reason();
      throw refused(cause.reason() + ": [" + detail + "]");
    }
  }

  private Instant apply(String text, int from, Instant start, boolean toEnd) {
    ZonedDateTime time = start.atZone(zone);
    int position = from;
    try {
      while (position < text.length()) {
        char operator = text.charAt(position++);
        if (operator != '/' && operator != '+' && operator != '-') {
          throw refused("operator not supported for date math [" + text.substring(from) + "]");
        }
        int digits = position;
        while (position < text.length() && Character.isDigit(text.charAt(position))) {
          position++;
        }
        if (position >= text.length()) {
          throw refused("truncated date math [" + text.substring(from) + "]");
        }
        long count = position == digits ? 1 : Long.parseLong(text, digits, position, 10);
        char unit = text.charAt(position++);
        if (operator == '/') {
          if (count != 1) {
            throw refused(
                "rounding `/` can only be used on single unit types ["
                    + text.substring(from)
                    + "]");
          }
          time = rounded(time, unit, toEnd, text.substring(from));
        } else {
          time = time.plus(operator == '+' ? count : -count, unit(unit, text.substring(from)));
        }
      }
      return time.toInstant();
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw refused("date math [" + text + "] is out of the range of dates");
    }
  }

  private static ZonedDateTime rounded(ZonedDateTime time, char unit, boolean toEnd, String math) {
    ChronoUnit step = unit(unit, math);
    ZonedDateTime start =
        switch (step) {
          case YEARS -> time.truncatedTo(ChronoUnit.DAYS).withDayOfYear(1);
          case MONTHS -> time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
          case WEEKS ->
              time.truncatedTo(ChronoUnit.DAYS)
                  .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
          default -> time.truncatedTo(step);
        };
    return toEnd ? start.plus(1, step).minus(1, ChronoUnit.MILLIS) : start;
  }

  private static ChronoUnit unit(char unit, String math) {
    return switch (unit) {
      case 'y' -> ChronoUnit.YEARS;
      case 'M' -> ChronoUnit.MONTHS;
      case 'w' -> ChronoUnit.WEEKS;
      case 'd' -> ChronoUnit.DAYS;
      case 'h', 'H' -> ChronoUnit.HOURS;
      case 'm' -> ChronoUnit.MINUTES;
      case 's' -> ChronoUnit.SECONDS;
      default -> throw refused("unit [" + unit + "] not supported for date math [" + math + "]");
    };
  }

  private static ValueException refused(String reason) {
    return new ValueException(ErrorBody.of(400, "parse_exception", reason));
  }
}
