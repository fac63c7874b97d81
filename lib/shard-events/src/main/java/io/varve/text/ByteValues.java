package io.varve.text;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Sizes in settings and parameters: {@code 10b}, {@code 1.5kb}, {@code 2g}. */
public final class ByteValues {

  private record Unit(String suffix, int shift) {}

  /** Longer suffixes first: {@code 1kb} does not end in bytes. */
  private static final List<Unit> UNITS =
      List.of(
          new Unit("kb", 10),
          new Unit("mb", 20),
          new Unit("gb", 30),
          new Unit("tb", 40),
          new Unit("pb", 50),
          new Unit("k", 10),
          new Unit("m", 20),
          new Unit("g", 30),
          new Unit("t", 40),
          new Unit("p", 50),
          new Unit("b", 0));

  /** No exponent, which would let a short text denote a number with any number of digits. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,19}(\\.\\d{1,19})?");

  private ByteValues() {}

  /**
   * The bytes of {@code value}.
   *
   * @param name the setting or parameter, for the message
   * @throws ApiException 400 if it is not a size
   */
  public static long parseBytes(String name, String value) {
    String text = value.trim().toLowerCase(Locale.ROOT);
    if (text.equals("0") || text.equals("-1")) {
      return Long.parseLong(text);
    }
    for (Unit unit : UNITS) {
      if (text.endsWith(unit.suffix())) {
        String number = text.substring(0, text.length() - unit.suffix().length()).trim();
        if (!NUMBER.matcher(number).matches()) {
          throw refused(name, value, "");
        }
        try {
          return new BigDecimal(number)
              .multiply(BigDecimal.valueOf(1L << unit.shift()))
              .toBigInteger()
              .longValueExact();
        } catch (ArithmeticException e) {
          throw refused(name, value, "");
        }
      }
    }
    throw refused(name, value, ": unit is missing or unrecognized");
  }

  private static ApiException refused(String name, String value, String why) {
    return new ApiException(
        ErrorBody.of(
            400,
            "parse_exception",
            "failed to parse setting ["
                + name
                + "] with value ["
                + value
                + "] as a size in bytes"
                + why));
  }
}
