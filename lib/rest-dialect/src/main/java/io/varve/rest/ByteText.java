package io.varve.rest;

import java.util.List;

/** Formats sizes as OpenSearch does: {@code 208b}, {@code 5.2kb}, {@code 100mb}. */
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

  /** Truncated to one decimal, which is omitted if it is 0. */
  static String oneDigit(long value, long perUnit) {
    long tenths = (long) (value * 10.0 / perUnit);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
  }

  /** Also supports the one-letter units of {@code _cat}: {@code k}, {@code m}. */
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
}
