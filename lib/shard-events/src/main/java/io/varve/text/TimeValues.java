package io.varve.text;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;

/**
 * Durations in settings and parameters: a whole number and a unit ({@code nanos}, {@code micros},
 * {@code ms}, {@code s}, {@code m}, {@code h}, {@code d}); {@code 0} and {@code -1} need no unit.
 * At most {@link #MAX_DAYS} days, so that sums of durations and clock readings in nanoseconds do
 * not overflow.
 */
public final class TimeValues {

  /** A hundred years. */
  public static final long MAX_DAYS = 36_500;

  private static final long MAX_MILLIS = MAX_DAYS * 86_400_000L;

  private record Unit(String suffix, long nanos) {}

  /** Longer suffixes first: {@code 1ms} does not end in seconds. */
  private static final Unit[] UNITS = {
    new Unit("nanos", 1L),
    new Unit("micros", 1_000L),
    new Unit("ms", 1_000_000L),
    new Unit("s", 1_000_000_000L),
    new Unit("m", 60_000_000_000L),
    new Unit("h", 3_600_000_000_000L),
    new Unit("d", 86_400_000_000_000L),
  };

  private TimeValues() {}

  /**
   * The milliseconds of {@code value}, rounded down; -1 for {@code -1}.
   *
   * @param name the setting or parameter, for the message
   * @throws ApiException 400 if it is not a duration, or exceeds the maximum
   */
  public static long parseMillis(String name, String value) {
    long millis = clampedMillis(name, value);
    if (isTooLong(millis)) {
      throw refused(name, value, "as a time value: it must not be more than [" + MAX_DAYS + "d]");
    }
    return millis;
  }

  /** Whether {@link #clampedMillis} has reduced it to the maximum. */
  public static boolean isTooLong(long millis) {
    return millis > MAX_MILLIS;
  }

  /**
   * The milliseconds of a value that is compared with a limit or was accepted before. A value
   * beyond the maximum returns a duration just above the maximum.
   */
  public static long clampedMillis(String name, String value) {
    String text = value.trim().toLowerCase(Locale.ROOT);
    if (text.equals("-1") || text.equals("0")) {
      return Long.parseLong(text);
    }
    for (Unit unit : UNITS) {
      if (text.endsWith(unit.suffix())) {
        String number = text.substring(0, text.length() - unit.suffix().length()).trim();
        return millis(name, value, number, unit);
      }
    }
    throw refused(name, value, "as a time value: unit is missing or unrecognized");
  }

  private static long millis(String name, String value, String number, Unit unit) {
    try {
      long count = Long.parseLong(number);
      if (count < -1) {
        throw refused(name, value, "as a time value: negative durations are not supported");
      }
      if (count == -1) {
        return -1;
      }
      double millis = count * (unit.nanos() / 1e6);
      if (millis > MAX_MILLIS) {
        return MAX_MILLIS + 1;
      }
      return unit.nanos() >= 1_000_000
          ? count * (unit.nanos() / 1_000_000)
          : count / (1_000_000 / unit.nanos());
    } catch (NumberFormatException e) {
      if (number.matches("-?\\d+\\.\\d+")) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "failed to parse [" + value + "], fractional time values are not supported"));
      }
      throw new ApiException(ErrorBody.illegalArgument("failed to parse [" + value + "]"));
    }
  }

  /**
   * The nanoseconds of {@code value}; -1 for {@code -1}.
   *
   * @throws ApiException 400 if it is not a duration
   */
  public static long nanos(String name, String value) {
    long millis = clampedMillis(name, value);
    String text = value.trim().toLowerCase(Locale.ROOT);
    for (Unit unit : UNITS) {
      if (unit.nanos() < 1_000_000 && text.endsWith(unit.suffix()) && millis >= 0) {
        String number = text.substring(0, text.length() - unit.suffix().length()).trim();
        return Long.parseLong(number) * unit.nanos();
      }
    }
    return millis < 0 ? -1 : Math.min(millis, MAX_MILLIS) * 1_000_000;
  }

  /** With at most one digit after the point and the largest unit that fits: {@code 1.5s}. */
  public static String text(long nanos) {
    Unit fitting = UNITS[0];
    for (Unit unit : UNITS) {
      if (nanos >= unit.nanos()) {
        fitting = unit;
      }
    }
    long tenths = nanos / fitting.nanos() * 10 + nanos % fitting.nanos() * 10 / fitting.nanos();
    return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + fitting.suffix();
  }

  private static ApiException refused(String name, String value, String why) {
    return new ApiException(
        ErrorBody.illegalArgument(
            "failed to parse setting [" + name + "] with value [" + value + "] " + why));
  }
}
