package io.varve.search.mapping;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code yyyy[-MM[-dd[THH[:mm[:ss[.fraction]]]]]][zone]} in one pass, without the general
 * parser of the JDK. Nearly all dates in requests have this format.
 */
final class IsoDate {

  private static final DateTimeFormatter PRINTER =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 3, 9, true)
          .appendPattern("XXX")
          .toFormatter(Locale.ROOT);

  private final String text;
  private int position;
  private long epochSecond;
  private int nano;

  private IsoDate(String text) {
    this.text = text;
  }

  static String print(Instant instant, ZoneId zone) {
    return PRINTER.format(instant.atZone(zone));
  }

  static @Nullable Long parse(String text, ZoneId zone, boolean toEnd) {
    IsoDate date = read(text, zone, toEnd);
    return date == null ? null : (Long) (date.epochSecond * 1000 + date.nano / 1_000_000);
  }

  static @Nullable Instant instant(String text, ZoneId zone, boolean toEnd) {
    IsoDate date = read(text, zone, toEnd);
    return date == null ? null : Instant.ofEpochSecond(date.epochSecond, date.nano);
  }

  private static @Nullable IsoDate read(String text, ZoneId zone, boolean toEnd) {
    if (text.length() < 4 || text.length() > 64) {
      return null;
    }
    try {
      IsoDate date = new IsoDate(text);
      return date.read(zone, toEnd) ? date : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private boolean read(ZoneId zone, boolean toEnd) {
    int year = digits(4);
    if (year < 0) {
      return false;
    }
    int month = after('-', 2);
    int day = month < 0 ? -1 : after('-', 2);
    boolean time = day >= 0 && accept('T') && position < text.length();
    int hour = time ? digits(2) : -1;
    int minute = hour < 0 ? -1 : after(':', 2);
    int second = minute < 0 ? -1 : after(':', 2);
    int nanoOfSecond = second >= 0 && (accept('.') || accept(',')) ? fraction() : -1;
    ZoneId own = hour < 0 ? zone : zoneOr(zone);
    if (own == null || position != text.length() || (time && hour < 0)) {
      return false;
    }
    int someMonth = month >= 0 ? month : toEnd ? 12 : 1;
    int someDay = day >= 0 ? day : toEnd ? YearMonth.of(year, someMonth).lengthOfMonth() : 1;
    LocalDate date = LocalDate.of(year, someMonth, someDay);
    LocalTime ofDay =
        LocalTime.of(
            orFilled(hour, toEnd, 23),
            orFilled(minute, toEnd, 59),
            orFilled(second, toEnd, 59),
            orFilled(nanoOfSecond, toEnd, 999_999_999));
    nano = orFilled(nanoOfSecond, toEnd, 999_999_999);
    epochSecond =
        own instanceof ZoneOffset offset
            ? date.toEpochDay() * 86_400 + ofDay.toSecondOfDay() - offset.getTotalSeconds()
            : date.atTime(ofDay).atZone(own).toEpochSecond();
    return true;
  }

  private static int orFilled(int value, boolean toEnd, int last) {
    return value >= 0 ? value : toEnd ? last : 0;
  }

  private boolean accept(char wanted) {
    if (position < text.length() && text.charAt(position) == wanted) {
      position++;
      return true;
    }
    return false;
  }

  /**
   * Parses the number after a separator. Returns -1 and consumes nothing if the separator is not
   * next.
   */
  private int after(char separator, int count) {
    if (!accept(separator)) {
      return -1;
    }
    int value = digits(count);
    if (value < 0) {
      position--;
    }
    return value;
  }

  private int digits(int count) {
    if (position + count > text.length()) {
      return -1;
    }
    int value = 0;
    for (int i = position; i < position + count; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    position += count;
    return value;
  }

  private int fraction() {
    int value = 0;
    int count = 0;
    while (position < text.length() && count < 9) {
      char c = text.charAt(position);
      if (c < '0' || c > '9') {
        break;
      }
      value = value * 10 + (c - '0');
      position++;
      count++;
    }
    if (count == 0) {
      throw new DateTimeException("a fraction without digits");
    }
    for (int i = count; i < 9; i++) {
      value *= 10;
    }
    return value;
  }

  private ZoneId zoneOr(ZoneId zone) {
    if (position == text.length()) {
      return zone;
    }
    String rest = text.substring(position);
    position = text.length();
    return ZoneId.of(rest);
  }
}
