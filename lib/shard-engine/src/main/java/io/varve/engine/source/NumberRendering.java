package io.varve.engine.source;

import java.math.BigDecimal;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.util.NumericUtils;

/**
 * Renders a number. First the doc value is converted:
 *
 * <pre>
 *   l  long                        d  double              y x  latitude, longitude of a point,
 *   u  unsigned, sign bit flipped  f  float                    to seven decimals
 *   t  milliseconds as seconds     w  float as a double   Y X  the same as floats
 *   T  nanoseconds as seconds      s  scaled float        b    true or false
 *   m  nanoseconds as milliseconds
 * </pre>
 *
 * then formatted:
 *
 * <pre>
 *   p  12.0   0.00001     f  12.00   with this many decimals
 *   i  12     0.00001     d  12.0    1.0E-5
 * </pre>
 *
 * @param factor of a scaled float
 */
record NumberRendering(char read, double factor, char style, int decimals, boolean quoted)
    implements Rendering.OfNumber {

  static final char MARK = 'N';

  private static final int POINT_DECIMALS = 7;
  private static final double POINT_UNITS = 1e7;
  private static final double HALF_A_LATITUDE = 90.0 / (1L << 32);
  private static final double HALF_A_LONGITUDE = 180.0 / (1L << 32);

  @Override
  public String code() {
    return "" + MARK + read + style + (quoted ? 'q' : 'n') + decimals + ";" + factor;
  }

  static NumberRendering of(String code) {
    int end = code.indexOf(';');
    return new NumberRendering(
        code.charAt(1),
        Double.parseDouble(code.substring(end + 1)),
        code.charAt(2),
        Integer.parseInt(code.substring(4, end)),
        code.charAt(3) == 'q');
  }

  @Override
  public String text(long value) {
    String text = styled(natural(value));
    return quoted ? '"' + text + '"' : text;
  }

  private String natural(long value) {
    return switch (read) {
      case 'l' -> Long.toString(value);
      case 'u' -> Long.toUnsignedString(value ^ Long.MIN_VALUE);
      case 't' -> Long.toString(Math.floorDiv(value, 1000));
      case 'T' -> Long.toString(Math.floorDiv(value, 1_000_000_000));
      case 'm' -> Long.toString(Math.floorDiv(value, 1_000_000));
      case 'b' -> value == 0 ? "false" : "true";
      case 'd' -> Double.toString(NumericUtils.sortableLongToDouble(value));
      case 'f' -> Float.toString(NumericUtils.sortableIntToFloat((int) value));
      case 'w' -> Double.toString(NumericUtils.sortableIntToFloat((int) value));
      case 's' -> scaled(value);
      case 'y' -> decimal(Math.round(latitude(value) * POINT_UNITS), POINT_DECIMALS);
      case 'x' -> decimal(Math.round(longitude(value) * POINT_UNITS), POINT_DECIMALS);
      case 'Y' -> Double.toString((float) latitude(value));
      case 'X' -> Double.toString((float) longitude(value));
      default -> throw new IllegalArgumentException("unknown conversion of numbers [" + read + "]");
    };
  }

  /** The midpoint of the encoded cell, at most half a cell from any point in it. */
  private static double latitude(long point) {
    return GeoEncodingUtils.decodeLatitude((int) (point >>> 32)) + HALF_A_LATITUDE;
  }

  private static double longitude(long point) {
    return GeoEncodingUtils.decodeLongitude((int) point) + HALF_A_LONGITUDE;
  }

  private String scaled(long value) {
    int power = 0;
    double rest = factor;
    while (rest >= 10 && rest % 10 == 0) {
      rest /= 10;
      power++;
    }
    return rest == 1 && power <= 18 ? decimal(value, power) : Double.toString(value / factor);
  }

  /** Renders a number of units of the last decimal, with trailing zeros removed except one. */
  private static String decimal(long units, int decimals) {
    StringBuilder digits = new StringBuilder(24).append(Math.abs(units));
    while (digits.length() <= decimals) {
      digits.insert(0, '0');
    }
    int point = digits.length() - decimals;
    digits.insert(point, '.');
    int end = digits.length();
    while (end > point + 2 && digits.charAt(end - 1) == '0') {
      end--;
    }
    digits.setLength(end);
    if (end == point + 1) {
      digits.append('0');
    }
    return (units < 0 ? digits.insert(0, '-') : digits).toString();
  }

  private String styled(String natural) {
    if (style == 'd' || read == 'b') {
      return natural;
    }
    String plain =
        natural.indexOf('E') < 0
            ? natural
            : new BigDecimal(natural).stripTrailingZeros().toPlainString();
    int point = plain.indexOf('.');
    return switch (style) {
      case 'p' -> point < 0 ? plain + ".0" : plain;
      case 'i' -> plain.endsWith(".0") ? plain.substring(0, point) : plain;
      case 'f' -> padded(plain, point);
      default -> throw new IllegalArgumentException("unknown style of numbers [" + style + "]");
    };
  }

  private String padded(String plain, int point) {
    int missing = decimals - (point < 0 ? 0 : plain.length() - point - 1);
    return missing < 0 ? plain : plain + (point < 0 ? "." : "") + "0".repeat(missing);
  }
}
