package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as requests write them: {@code 5s}, {@code 200ms}; {@code 0} and {@code -1}. */
public final class TimeText {

  private static final Pattern TIME =
      Pattern.compile("(\\d{1,15})\\s*(nanos|micros|ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

  private TimeText() {}

  /** Milliseconds, -1 for {@code -1}; {@code name} is what a refusal calls the setting. */
  public static long millis(String name, String text) {
    String stripped = text.strip();
    if (stripped.equals("-1") || stripped.equals("0")) {
      return Long.parseLong(stripped);
    }
    Matcher matcher = TIME.matcher(stripped);
    if (!matcher.matches()) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "failed to parse setting ["
                  + name
                  + "] with value ["
                  + text
                  + "] as a time value: unit is missing or unrecognized"));
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
      case "nanos" -> count / 1_000_000;
      case "micros" -> count / 1_000;
      case "ms" -> count;
      case "s" -> count * 1_000;
      case "m" -> count * 60_000;
      case "h" -> count * 3_600_000;
      default -> count * 86_400_000;
    };
  }
}
