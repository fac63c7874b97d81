package io.varve.search.aggregation.rounding;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Calendar units with their typical length. */
public enum CalendarUnit {
  SECOND("1s", 1_000L),
  MINUTE("1m", 60_000L),
  HOUR("1h", 3_600_000L),
  DAY("1d", 86_400_000L),
  WEEK("1w", 7 * 86_400_000L),
  MONTH("1M", 30 * 86_400_000L),
  QUARTER("1q", 90 * 86_400_000L),
  YEAR("1y", 365 * 86_400_000L);

  private final String text;
  private final long typicalMillis;

  CalendarUnit(String text, long typicalMillis) {
    this.text = text;
    this.typicalMillis = typicalMillis;
  }

  /** The short form of the unit, such as {@code 1d}. */
  public String text() {
    return text;
  }

  public long typicalMillis() {
    return typicalMillis;
  }

  /** Whether intervals begin at midnight. */
  boolean isDateBased() {
    return compareTo(DAY) >= 0;
  }

  /** The unit of a long or short name, or null. */
  public static @Nullable CalendarUnit named(String name) {
    for (CalendarUnit unit : values()) {
      if (unit.text.equals(name) || unit.name().toLowerCase(Locale.ROOT).equals(name)) {
        return unit;
      }
    }
    return null;
  }
}
