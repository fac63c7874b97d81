package io.varve.search.mapping;

import io.varve.rpc.ErrorBody;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts JSON values (String, Boolean, Number) to the values of fields. As OpenSearch does by
 * default, it converts text to numbers and truncates decimals for integer types.
 */
public final class Values {

  private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final Pattern FOUR_PARTS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern WITH_COLONS = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final double HALF_FLOAT_MAX = 65504;

  private Values() {}

  /** The value of an integer type, with decimals truncated. */
  public static long whole(FieldType type, Object value) {
    long whole =
        switch (value) {
          case Long number -> number;
          case Integer number -> number;
          default -> truncated(type, value);
        };
    long limit =
        switch (type) {
          case INTEGER -> Integer.MAX_VALUE;
          case SHORT -> Short.MAX_VALUE;
          case BYTE -> Byte.MAX_VALUE;
          default -> Long.MAX_VALUE;
        };
    if (whole > limit || whole < -limit - 1) {
      throw outOfRange(type, value);
    }
    return whole;
  }

  private static long truncated(FieldType type, Object value) {
    String text = numberText(value);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notPlain) {
      BigDecimal decimal = exact(type, text);
      // A short text such as 1e999999999 may denote a number with a billion digits.
      if (decimal.precision() - (long) decimal.scale() > 40) {
        throw outOfRange(type, value);
      }
      BigInteger whole = decimal.scale() > 400 ? BigInteger.ZERO : decimal.toBigInteger();
      if (whole.compareTo(LONG_MIN) < 0 || whole.compareTo(LONG_MAX) > 0) {
        throw outOfRange(type, value);
      }
      return whole.longValue();
    }
  }

  private static BigDecimal exact(FieldType type, String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      String reason = text.isEmpty() ? "empty String" : "For input string: \"" + text + "\"";
      String name =
          type == FieldType.LONG ? "illegal_argument_exception" : "number_format_exception";
      throw new ValueException(ErrorBody.of(400, name, reason));
    }
  }

  /** An integer from 0 to 2^64 - 1, with decimals truncated. */
  public static BigInteger unsigned(Object value) {
    String text = numberText(value);
    BigDecimal decimal = exact(FieldType.UNSIGNED_LONG, text);
    if (decimal.precision() - (long) decimal.scale() > 40) {
      throw outOfRange(FieldType.UNSIGNED_LONG, value);
    }
    BigInteger whole = decimal.scale() > 400 ? BigInteger.ZERO : decimal.toBigInteger();
    if (whole.signum() < 0 || whole.bitLength() > Long.SIZE) {
      throw illegal("Value [" + value + "] is out of range for an unsigned long");
    }
    return whole;
  }

  /** The signed long that represents an unsigned one; both have the same order. */
  public static long sortable(BigInteger unsigned) {
    return unsigned.longValue() ^ Long.MIN_VALUE;
  }

  /** The inverse of {@link #sortable}. */
  public static BigInteger ofSortable(long sortable) {
    long bits = sortable ^ Long.MIN_VALUE;
    return new BigInteger(Long.toUnsignedString(bits));
  }

  /** Whether a number, or a text of one, has a fraction other than zero. */
  public static boolean hasDecimals(Object value) {
    if (value instanceof Long || value instanceof Integer || value instanceof BigInteger) {
      return false;
    }
    try {
      BigDecimal exact = new BigDecimal(numberText(value));
      return exact.stripTrailingZeros().scale() > 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The value of a floating-point type, rounded to its precision. */
  public static double decimal(FieldType type, Object value) {
    double number;
    try {
      number = value instanceof Double d ? d : Double.parseDouble(numberText(value));
    } catch (NumberFormatException e) {
      throw new ValueException(
          ErrorBody.of(400, "number_format_exception", String.valueOf(e.getMessage())));
    }
    double held =
        switch (type) {
          case FLOAT -> (float) number;
          case HALF_FLOAT -> Float.float16ToFloat(Float.floatToFloat16((float) number));
          default -> number;
        };
    if (!Double.isFinite(held)
        || (type == FieldType.HALF_FLOAT && Math.abs(held) > HALF_FLOAT_MAX)) {
      throw illegal("[" + type.json() + "] supports only finite values, but got [" + number + "]");
    }
    return held;
  }

  public static boolean truth(Object value) {
    return switch (value.toString()) {
      case "true" -> true;
      case "false", "" -> false;
      default ->
          throw illegal(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  /** An IP address in 16 bytes; IPv4 is mapped into IPv6. */
  public static byte[] address(String text) {
    byte[] raw = parseAddress(text);
    if (raw == null) {
      throw illegal("'" + text + "' is not an IP string literal.");
    }
    return mapped(raw);
  }

  /** An address of either version in 16 bytes. */
  public static byte[] mapped(byte[] raw) {
    if (raw.length == 16) {
      return raw;
    }
    byte[] mapped = new byte[16];
    Arrays.fill(mapped, 10, 12, (byte) 0xFF);
    System.arraycopy(raw, 0, mapped, 12, 4);
    return mapped;
  }

  /** The canonical text of an address; IPv6 compresses the longest run of zeros. */
  public static String addressText(InetAddress address) {
    byte[] raw = address.getAddress();
    if (raw.length == 4) {
      return address.getHostAddress();
    }
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = (raw[2 * i] & 0xFF) << 8 | (raw[2 * i + 1] & 0xFF);
    }
    int from = -1;
    int longest = 1;
    for (int i = 0; i < 8; i++) {
      int end = i;
      while (end < 8 && groups[end] == 0) {
        end++;
      }
      if (end - i > longest) {
        from = i;
        longest = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == from) {
        text.append("::");
        i += longest - 1;
      } else {
        boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
        text.append(first ? "" : ":").append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }

  private static byte @Nullable [] parseAddress(String text) {
    // Other literals that the platform accepts (a single number, a zone) do not count as addresses.
    if (!FOUR_PARTS.matcher(text).matches() && !WITH_COLONS.matcher(text).matches()) {
      return null;
    }
    try {
      return InetAddress.ofLiteral(text).getAddress();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String numberText(Object value) {
    if (value instanceof Boolean) {
      throw illegal("For input string: \"" + value + "\"");
    }
    return value.toString().strip();
  }

  private static ValueException outOfRange(FieldType type, Object value) {
    String article = type == FieldType.INTEGER ? "an " : "a ";
    return illegal("Value [" + value + "] is out of range for " + article + type.json());
  }

  private static ValueException illegal(String reason) {
    return new ValueException(ErrorBody.illegalArgument(reason));
  }
}
