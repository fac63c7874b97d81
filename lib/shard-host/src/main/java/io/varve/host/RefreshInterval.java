package io.varve.host;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The setting {@code index.refresh_interval}: {@code 1s} unless set, {@code -1} for never. */
public final class RefreshInterval {

  public static final String SETTING = "index.refresh_interval";

  private static final long DEFAULT_MILLIS = 1000;
  private static final Pattern TIME = Pattern.compile("(\\d+)(ms|s|m|h|d)?");

  private RefreshInterval() {}

  /** In milliseconds, -1 for never; the coordinator has already refused invalid values. */
  public static long millis(Map<String, String> settings) {
    String value = settings.get(SETTING);
    if (value == null) {
      return DEFAULT_MILLIS;
    }
    if (value.equals("-1")) {
      return -1;
    }
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      return DEFAULT_MILLIS;
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2);
    return switch (unit == null ? "ms" : unit) {
      case "s" -> number * 1000;
      case "m" -> number * 60_000;
      case "h" -> number * 3_600_000;
      case "d" -> number * 86_400_000;
      default -> number;
    };
  }
}
