package io.varve.coordinator.rest;

import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Locale;

/** Sizes as the dialect writes them: {@code 208b}, {@code 5.2kb}, {@code 100mb}. */
public final class ByteText {

  private static final List<String> UNITS = List.of("b", "kb", "mb", "gb", "tb", "pb");

  private ByteText() {}

  public static String of(long sizeBytes) {
    int unit = 0;
    while (unit + 1 < UNITS.size() && sizeBytes >= bytes(unit + 1)) {
      unit++;
    }
    return oneDigit(sizeBytes, bytes(unit)) + UNITS.get(unit);
  }

  /** Cut off after one digit, which is left out when it is 0. */
  static String oneDigit(long value, long perUnit) {
    long tenths = (long) (value * 10.0 / perUnit);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
  }

  /** Also the one-letter units that the tables take: {@code k}, {@code m}. */
  public static long in(long sizeBytes, String unit) {
    return sizeBytes / bytes(indexOf(unit));
  }

  public static boolean isUnit(String unit) {
    return indexOf(unit) >= 0;
  }

  private static int indexOf(String unit) {
    return UNITS.indexOf(unit.length() == 1 && !unit.equals("b") ? unit + "b" : unit);
  }

  private static long bytes(int unit) {
    return 1L << (10 * unit);
  }

  /** {@code name} is the setting that the value is of. */
  public static long parse(String text, String name) {
    String trimmed = text.strip().toLowerCase(Locale.ROOT);
    int digits = 0;
    while (digits < trimmed.length() && !Character.isLetter(trimmed.charAt(digits))) {
      digits++;
    }
    int unit = indexOf(trimmed.substring(digits).strip());
    if (unit < 0 && !trimmed.equals("0")) {
      throw bad(text, name);
    }
    try {
      return (long) (Double.parseDouble(trimmed.substring(0, digits)) * bytes(Math.max(unit, 0)));
    } catch (NumberFormatException e) {
      throw bad(text, name);
    }
  }

  private static ApiException bad(String text, String name) {
    return new ApiException(
        400,
        "parse_exception",
        "failed to parse setting ["
            + name
            + "] with value ["
            + text
            + "] as a size in bytes: unit is missing or unrecognized");
  }
}
