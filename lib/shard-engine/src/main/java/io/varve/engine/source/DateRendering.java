package io.varve.engine.source;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Renders a quoted date such as {@code 2015-01-31}, {@code 2015-01-31 12:34} or {@code
 * 2015-01-31T12:34:56.789+01:00}.
 *
 * @param nanos whether the doc value is in nanoseconds instead of milliseconds
 * @param dateMark separator of year, month and day
 * @param timeMark separator of date and time; 0 for no time
 * @param seconds whether seconds are written
 * @param digits of the fraction of a second
 * @param zone as written
 */
record DateRendering(
    boolean nanos, char dateMark, char timeMark, boolean seconds, int digits, String zone)
    implements Rendering.OfNumber {

  static final char MARK = 'D';

  private static final int NO_ZONE = Integer.MIN_VALUE;
  private static final int DAY_SECONDS = 86_400;
  private static final char NO_TIME = '0';

  @Override
  public String code() {
    return ""
        + MARK
        + (nanos ? 'n' : 'm')
        + dateMark
        + (timeMark == 0 ? NO_TIME : timeMark)
        + (seconds ? 's' : 'm')
        + digits
        + zone;
  }

  static DateRendering of(String code) {
    return new DateRendering(
        code.charAt(1) == 'n',
        code.charAt(2),
        code.charAt(3) == NO_TIME ? 0 : code.charAt(3),
        code.charAt(4) == 's',
        code.charAt(5) - '0',
        code.substring(6));
  }

  /** The rendering that produces a quoted text; {@code null} if it is not such a date. */
  static @Nullable DateRendering like(String text, boolean nanos) {
    int end = text.length() - 1;
    if (end < 11 || text.charAt(0) != '"' || text.charAt(5) != text.charAt(8)) {
      return null;
    }
    char dateMark = text.charAt(5);
    if ((dateMark != '-' && dateMark != '/') || end == 11) {
      return end == 11 && (dateMark == '-' || dateMark == '/')
          ? new DateRendering(nanos, dateMark, (char) 0, false, 0, "")
          : null;
    }
    char timeMark = text.charAt(11);
    if (end < 17 || (timeMark != 'T' && timeMark != ' ') || text.charAt(14) != ':') {
      return null;
    }
    boolean seconds = end >= 20 && text.charAt(17) == ':';
    int at = seconds ? 20 : 17;
    int digits = 0;
    if (seconds && at < end && text.charAt(at) == '.') {
      int from = ++at;
      while (at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        at++;
      }
      digits = at - from;
    }
    String zone = text.substring(at, end);
    boolean fits = digits <= 9 && (digits > 0 || text.charAt(at - 1) != '.');
    return fits && offset(zone) != NO_ZONE
        ? new DateRendering(nanos, dateMark, timeMark, seconds, digits, zone)
        : null;
  }

  /** Offset of a zone from UTC in seconds. */
  private static int offset(String zone) {
    if (zone.isEmpty() || zone.equals("Z")) {
      return 0;
    }
    String digits = zone.substring(1).replace(":", "");
    boolean signed = zone.charAt(0) == '+' || zone.charAt(0) == '-';
    if (!signed || (digits.length() != 2 && digits.length() != 4)) {
      return NO_ZONE;
    }
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return NO_ZONE;
      }
    }
    int minutes = digits.length() == 2 ? 0 : Integer.parseInt(digits.substring(2));
    int ahead = Integer.parseInt(digits.substring(0, 2)) * 3600 + minutes * 60;
    return zone.charAt(0) == '-' ? -ahead : ahead;
  }

  @Override
  public String text(long value) {
    long perSecond = nanos ? 1_000_000_000L : 1_000L;
    long second = Math.floorDiv(value, perSecond) + offset(zone);
    long fraction = Math.floorMod(value, perSecond) * (1_000_000_000L / perSecond);
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(second, DAY_SECONDS));
    StringBuilder text = new StringBuilder(40).append('"');
    append(text, date.getYear(), 4);
    append(text.append(dateMark), date.getMonthValue(), 2);
    append(text.append(dateMark), date.getDayOfMonth(), 2);
    if (timeMark != 0) {
      appendTime(text, Math.floorMod(second, DAY_SECONDS), fraction);
    }
    return text.append(zone).append('"').toString();
  }

  private void appendTime(StringBuilder text, int ofDay, long fraction) {
    append(text.append(timeMark), ofDay / 3600, 2);
    append(text.append(':'), ofDay / 60 % 60, 2);
    if (seconds) {
      append(text.append(':'), ofDay % 60, 2);
    }
    if (digits > 0) {
      int from = text.append('.').length();
      append(text, (int) fraction, 9);
      text.setLength(from + digits);
    }
  }

  private static void append(StringBuilder text, int number, int digits) {
    String plain = Integer.toString(number);
    for (int i = plain.length(); i < digits; i++) {
      text.append('0');
    }
    text.append(plain);
  }
}
