package io.varve.standalone.link;

import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conditions of a network link: {@code delay=60ms,rate=50mbit,loss=0.1%}, in any order; parts
 * can be omitted.
 *
 * @param delayMillis the delay in each direction, so a round trip takes twice as long
 * @param bitsPerSecond the rate of each direction, shared by all connections; 0: no limit
 * @param lossPercent the share of lost TCP segments
 */
public record LinkConditions(long delayMillis, long bitsPerSecond, double lossPercent) {

  /** A link that only forwards. */
  public static final LinkConditions NONE = new LinkConditions(0, 0, 0);

  public static final long MAX_DELAY_MILLIS = Duration.ofSeconds(10).toMillis();
  public static final long MIN_BITS_PER_SECOND = 8_000;
  public static final long MAX_BITS_PER_SECOND = 100_000_000_000L;
  public static final double MAX_LOSS_PERCENT = 50;

  private static final Pattern DELAY = Pattern.compile("(\\d{1,9})(ms|s)");
  private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(kbit|mbit|gbit)");
  private static final Pattern LOSS = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%");

  public LinkConditions {
    if (delayMillis < 0 || delayMillis > MAX_DELAY_MILLIS) {
      throw new IllegalArgumentException("delay must be 0ms to 10s, was " + delayMillis + "ms");
    }
    boolean limited = bitsPerSecond != 0;
    if (limited && (bitsPerSecond < MIN_BITS_PER_SECOND || bitsPerSecond > MAX_BITS_PER_SECOND)) {
      throw new IllegalArgumentException(
          "rate must be 8kbit to 100gbit per second, was " + bitsPerSecond + " bits per second");
    }
    if (!(lossPercent >= 0 && lossPercent <= MAX_LOSS_PERCENT)) {
      throw new IllegalArgumentException("loss must be 0% to 50%, was " + lossPercent + "%");
    }
  }

  /**
   * Parses the parts.
   *
   * @throws IllegalArgumentException for an unknown, repeated or malformed part, or a value out of
   *     range
   */
  public static LinkConditions parse(String text) {
    LinkConditions parsed = NONE;
    Set<String> seen = new HashSet<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : part.substring(equals + 1);
      if (!seen.add(name)) {
        throw new IllegalArgumentException("[" + name + "] is given twice in [" + text + "]");
      }
      parsed = parsed.with(name, value, text);
    }
    return parsed;
  }

  private LinkConditions with(String name, String value, String text) {
    return switch (name) {
      case "delay" -> new LinkConditions(millis(value), bitsPerSecond, lossPercent);
      case "rate" -> new LinkConditions(delayMillis, bits(value), lossPercent);
      case "loss" -> new LinkConditions(delayMillis, bitsPerSecond, percent(value));
      default ->
          throw new IllegalArgumentException(
              "unknown part [%s] in [%s]; parts are delay=60ms, rate=50mbit, loss=0.1%%"
                  .formatted(name, text));
    };
  }

  private static long millis(String value) {
    Matcher matcher = matched(DELAY, value, "delay must be a time such as 60ms or 1s");
    return Long.parseLong(matcher.group(1)) * (matcher.group(2).equals("s") ? 1_000 : 1);
  }

  private static long bits(String value) {
    Matcher matcher = matched(RATE, value, "rate must be one such as 512kbit, 50mbit or 1gbit");
    double number = Double.parseDouble(matcher.group(1));
    long bits =
        Math.round(
            number
                * switch (matcher.group(2)) {
                  case "kbit" -> 1e3;
                  case "mbit" -> 1e6;
                  default -> 1e9;
                });
    if (bits == 0) {
      throw new IllegalArgumentException(
          "rate must be 8kbit to 100gbit per second, was [" + value + "]");
    }
    return bits;
  }

  private static double percent(String value) {
    return Double.parseDouble(matched(LOSS, value, "loss must be a share such as 0.1%").group(1));
  }

  private static Matcher matched(Pattern pattern, String value, String otherwise) {
    Matcher matcher = pattern.matcher(value.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(otherwise + ", was [" + value + "]");
    }
    return matcher;
  }
}
