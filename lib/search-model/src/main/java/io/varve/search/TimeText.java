package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as requests write them: {@code 5s}, {@code 200ms}, {@code 0} or {@code -1}. They are
 * limited to a hundred years, so that sums in nanoseconds do not overflow.
 */
public final class TimeText {

  private static final long MAX_DAYS = 36_500;
  private static final double MAX_MILLIS = MAX_DAYS * 86_400_000d;

  private static final Pattern TIME =
      Pattern.compile("(\\d{1,19})\\s*(nanos|micros|ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

  private TimeText() {}

  /**
   * The duration in milliseconds, -1 for {@code -1}.
   *
   * @param name the setting's name in the error text
   */
  public static long millis(String name, String text) {
    String stripped = text.strip();
    if (stripped.equals("-1") || stripped.equals("0")) {
      return Long.parseLong(stripped);
    }
    Matcher matcher = TIME.matcher(stripped);
    if (!matcher.matches()) {
      throw refused(name, text, "unit is missing or unrecognized");
    }
    double millis =
        Double.parseDouble(matcher.group(1))
            * switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
              case "nanos" -> 1e-6;
              case "micros" -> 1e-3;
              case "ms" -> 1;
              case "s" -> 1_000;
              case "m" -> 60_000;
              case "h" -> 3_600_000;
              default -> 86_400_000;
            };
    if (millis > MAX_MILLIS) {
      throw refused(name, text, "it must not be more than [" + MAX_DAYS + "d]");
    }
    return (long) millis;
  }

  private static ApiException refused(String name, String text, String why) {
    return new ApiException(
        ErrorBody.illegalArgument(
            "failed to parse setting ["
                + name
                + "] with value ["
                + text
                + "] as a time value: "
                + why));
  }
}
