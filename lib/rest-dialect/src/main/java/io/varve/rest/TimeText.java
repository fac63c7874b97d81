package io.varve.rest;

import java.time.Duration;
import java.util.Map;

/** Formats durations as OpenSearch does: {@code 1.5s}, {@code 1m}, {@code 500ms}. */
public final class TimeText {

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

  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private TimeText() {}

  /** With at most one decimal and the largest unit that fits: {@code 1.5s}, {@code 320ms}. */
  public static String of(Duration time) {
    long nanos = nanos(time);
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

  /** As a whole number of {@code unit}, which must satisfy {@link #isUnit}. */
  public static long in(Duration time, String unit) {
    return nanos(time) / NANOS.getOrDefault(unit, 1L);
  }

  /** At most the largest {@code long}, 292 years. */
  private static long nanos(Duration time) {
    return time.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : time.toNanos();
  }

  public static boolean isUnit(String unit) {
    return NANOS.containsKey(unit);
  }
}
