package io.varve.search.mapping;

import java.time.YearMonth;

/**
 * Parses {@code yyyy-MM-dd HH:mm:ss} without the general parser of the JDK. Other texts are left to
 * that parser, which also reports errors.
 */
final class PlainDateTime {

  /** The result for texts of another form. */
  static final long NONE = Long.MIN_VALUE;

  static final String PATTERN = "uuuu-MM-dd HH:mm:ss";

  private static final int LENGTH = 19;

  private PlainDateTime() {}

  /** Milliseconds since 1970 in UTC, or {@link #NONE}. */
  static long parse(String text) {
    if (text.length() != LENGTH
        || text.charAt(4) != '-'
        || text.charAt(7) != '-'
        || text.charAt(10) != ' '
        || text.charAt(13) != ':'
        || text.charAt(16) != ':') {
      return NONE;
    }
    int century = two(text, 0);
    int yearOfCentury = two(text, 2);
    int month = two(text, 5);
    int day = two(text, 8);
    int hour = two(text, 11);
    int minute = two(text, 14);
    int second = two(text, 17);
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

  private static int two(String text, int at) {
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }
}
