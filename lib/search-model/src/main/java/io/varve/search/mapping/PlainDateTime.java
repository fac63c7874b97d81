package io.varve.search.mapping;

import java.nio.charset.StandardCharsets;
import java.time.YearMonth;

/**
 * Parses {@code yyyy-MM-dd HH:mm:ss} and complete ISO dates without the general parsers. The
 * general parsers handle other texts, and report errors.
 */
final class PlainDateTime {

  /** The result for texts in another format. */
  static final long NONE = Long.MIN_VALUE;

  static final String PATTERN = "uuuu-MM-dd HH:mm:ss";

  private static final int LENGTH = 19;

  private PlainDateTime() {}

  /** Milliseconds since 1970 in UTC, or {@link #NONE}. */
  static long parse(String text) {
    return text.length() == LENGTH
        ? parse(text.getBytes(StandardCharsets.ISO_8859_1), 0, LENGTH)
        : NONE;
  }

  /** As above, for a text of ASCII characters. */
  static long parse(byte[] text, int from, int length) {
    return length == LENGTH ? dateAndTime(text, from, ' ') : NONE;
  }

  /**
   * As above, for {@code yyyy-MM-ddTHH:mm:ss} with an optional fraction of up to nine digits and an
   * optional {@code Z}.
   */
  static long parseIso(byte[] text, int from, int length) {
    int end = from + length;
    if (length > LENGTH && text[end - 1] == 'Z') {
      end--;
    }
    int fraction = end - from - LENGTH - 1;
    if (fraction != -1 && (fraction < 1 || fraction > 9 || text[from + LENGTH] != '.')) {
      return NONE;
    }
    long millis = dateAndTime(text, from, 'T');
    int weight = 100;
    for (int at = from + LENGTH + 1; at < end && millis != NONE; at++) {
      int digit = text[at] - '0';
      millis = digit < 0 || digit > 9 ? NONE : millis + (long) digit * weight;
      weight /= 10;
    }
    return millis;
  }

  /** Parses the 19 bytes of a date and a time. */
  private static long dateAndTime(byte[] text, int from, char separator) {
    if (text[from + 4] != '-'
        || text[from + 7] != '-'
        || text[from + 10] != separator
        || text[from + 13] != ':'
        || text[from + 16] != ':') {
      return NONE;
    }
    int century = two(text, from);
    int yearOfCentury = two(text, from + 2);
    int month = two(text, from + 5);
    int day = two(text, from + 8);
    int hour = two(text, from + 11);
    int minute = two(text, from + 14);
    int second = two(text, from + 17);
    // A character that is not a digit makes its number negative, and thus also the bitwise or of
    // all numbers.
    if ((century | yearOfCentury | month | day | hour | minute | second) < 0
        || month < 1
        || month > 12
        || day < 1
        || hour > 23
        || minute > 59
        || second > 59) {
      return NONE;
    }
    int year = century * 100 + yearOfCentury;
    if (day > 28 && day > YearMonth.of(year, month).lengthOfMonth()) {
      return NONE;
    }
    long seconds = epochDay(year, month, day) * 86_400 + hour * 3_600L + minute * 60L + second;
    return seconds * 1000;
  }

  /**
   * Days since 1970. Years are counted from March, so that the leap day is the last day of a year.
   */
  private static long epochDay(int year, int month, int day) {
    int fromMarch = month > 2 ? month - 3 : month + 9;
    int y = month > 2 ? year : year - 1;
    int leapDays = Math.floorDiv(y, 4) - Math.floorDiv(y, 100) + Math.floorDiv(y, 400);
    int dayOfYear = (153 * fromMarch + 2) / 5 + day - 1;
    return 365L * y + leapDays + dayOfYear - 719_468;
  }

  private static int two(byte[] text, int at) {
    int tens = text[at] - '0';
    int ones = text[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }
}
