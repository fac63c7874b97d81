package io.varve.coordinator.rest;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Spans of time as the dialect writes them: {@code 30s}, {@code 1m}, {@code 500ms}, {@code -1}. */
public final class TimeText {

  /** Longest suffix first, so that {@code ms} is not taken for {@code s}. */
  private static final String[] UNITS = {"nanos", "micros", "ms", "s", "m", "h", "d"};

  private static final Map<String, Long> NANOS =
      Map.of(
          "nanos", 1L,
          "micros", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L);

  private TimeText() {}

  /** {@code name} is the parameter or setting that the value is of. */
  public static Duration parse(String text, String name) {
    String trimmed = text.strip().toLowerCase(Locale.ROOT);
    if (trimmed.equals("-1")) {
      return Duration.ofMillis(-1);
    }
    if (trimmed.equals("0")) {
      return Duration.ZERO;
    }
    for (String unit : UNITS) {
      if (trimmed.endsWith(unit)) {
        return Duration.ofNanos(nanos(trimmed, unit, text, name));
      }
    }
    throw bad(text, name, "unit is missing or unrecognized");
  }

  private static long nanos(String trimmed, String unit, String text, String name) {
    String number = trimmed.substring(0, trimmed.length() - unit.length()).strip();
    long perUnit = NANOS.getOrDefault(unit, 1L);
    try {
      long count = Long.parseLong(number);
      if (count < -1) {
        throw bad(text, name, "negative durations are not supported");
      }
      return Math.multiplyExact(count, perUnit);
    } catch (NumberFormatException | ArithmeticException e) {
      throw bad(text, name, "the number is not a whole one in range");
    }
  }

  private static ApiException bad(String text, String name, String why) {
    return new ApiException(
        ErrorBody.illegalArgument(
            "failed to parse setting ["
                + name
                + "] with value ["
                + text
                + "] as a time value: "
                + why));
  }

  /** With one digit after the point and the unit that fits: {@code 1.5s}, {@code 320ms}. */
  public static String of(Duration time) {
    long nanos = time.toNanos();
    if (nanos <= 0) {
      return nanos == 0 ? "0s" : "-1";
    }
    String unit = "nanos";
    for (String candidate : UNITS) {
      if (nanos >= NANOS.getOrDefault(candidate, 1L)) {
        unit = candidate;
      }
    }
    return ByteText.oneDigit(nanos, NANOS.getOrDefault(unit, 1L)) + unit;
  }

  /** As a whole number of that unit; {@code unit} is one of those that {@link #isUnit} knows. */
  public static long in(Duration time, String unit) {
    return time.toNanos() / NANOS.getOrDefault(unit, 1L);
  }

  public static boolean isUnit(String unit) {
    return NANOS.containsKey(unit);
  }
}
