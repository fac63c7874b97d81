package io.varve.engine.fields;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.net.InetAddress;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import org.apache.lucene.document.InetAddressPoint;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a range, both inclusive: an excluded bound is moved to the nearest included value.
 *
 * @param from a Long, Double or InetAddress, as {@code to}
 */
public record RangeBounds(Object from, Object to) {

  /** Reads the value of a document. */
  static RangeBounds parse(LeafField field, Object value) {
    if (value instanceof String text && field.type() == FieldType.IP_RANGE) {
      return block(text);
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw refused(
          "error parsing field ["
              + field.path()
              + "], expected an object but got "
              + value.toString());
    }
    Object from = least(field.type());
    Object to = greatest(field.type());
    for (Map.Entry<?, ?> bound : map.entrySet()) {
      Object given = bound.getValue();
      switch (bound.getKey().toString()) {
        case "gte" -> from = given == null ? from : read(field, given, false);
        case "gt" -> from = given == null ? from : next(field.type(), read(field, given, true), 1);
        case "lte" -> to = given == null ? to : read(field, given, true);
        case "lt" -> to = given == null ? to : next(field.type(), read(field, given, false), -1);
        default ->
            throw refused(
                "error parsing field ["
                    + field.path()
                    + "], with unknown parameter ["
                    + bound.getKey()
                    + "]");
      }
    }
    if (compare(from, to) > 0) {
      throw refused("min value (" + from + ") is greater than max value (" + to + ")");
    }
    return new RangeBounds(from, to);
  }

  /** An address block in CIDR notation. */
  private static RangeBounds block(String text) {
    int slash = text.indexOf('/');
    InetAddress address = MappedFields.address(slash < 0 ? text : text.substring(0, slash));
    byte[] low = InetAddressPoint.encode(address);
    byte[] high = low.clone();
    int bits = 128;
    if (slash >= 0) {
      int length = (int) Values.whole(FieldType.INTEGER, text.substring(slash + 1));
      bits = address.getAddress().length == 4 ? 96 + length : length;
      if (length < 0 || bits > 128) {
        throw refused("'" + text + "' is not an IP string literal.");
      }
    }
    for (int bit = bits; bit < 128; bit++) {
      low[bit / 8] &= (byte) ~(0x80 >> bit % 8);
      high[bit / 8] |= (byte) (0x80 >> bit % 8);
    }
    return new RangeBounds(InetAddressPoint.decode(low), InetAddressPoint.decode(high));
  }

  private static Object read(LeafField field, Object value, boolean toEnd) {
    return switch (field.type()) {
      case INTEGER_RANGE -> Values.whole(FieldType.INTEGER, value);
      case LONG_RANGE -> Values.whole(FieldType.LONG, value);
      case DATE_RANGE -> field.dateFormat().parse(value.toString(), ZoneOffset.UTC, toEnd);
      case FLOAT_RANGE -> Values.decimal(FieldType.FLOAT, value);
      case DOUBLE_RANGE -> Values.decimal(FieldType.DOUBLE, value);
      case IP_RANGE -> MappedFields.address(value.toString());
      default -> throw new IllegalArgumentException(field.type() + " is no range");
    };
  }

  private static Object least(FieldType type) {
    return switch (type) {
      case INTEGER_RANGE -> (long) Integer.MIN_VALUE;
      case LONG_RANGE, DATE_RANGE -> Long.MIN_VALUE;
      case FLOAT_RANGE, DOUBLE_RANGE -> Double.NEGATIVE_INFINITY;
      default -> InetAddressPoint.MIN_VALUE;
    };
  }

  private static Object greatest(FieldType type) {
    return switch (type) {
      case INTEGER_RANGE -> (long) Integer.MAX_VALUE;
      case LONG_RANGE, DATE_RANGE -> Long.MAX_VALUE;
      case FLOAT_RANGE, DOUBLE_RANGE -> Double.POSITIVE_INFINITY;
      default -> InetAddressPoint.MAX_VALUE;
    };
  }

  private static Object next(FieldType type, Object value, int step) {
    try {
      return switch (value) {
        case Long whole -> Math.addExact(whole, (long) step);
        case Double decimal when type == FieldType.FLOAT_RANGE ->
            (double)
                (step > 0
                    ? Math.nextUp(decimal.floatValue())
                    : Math.nextDown(decimal.floatValue()));
        case Double decimal -> step > 0 ? Math.nextUp(decimal) : Math.nextDown(decimal);
        case InetAddress address ->
            step > 0 ? InetAddressPoint.nextUp(address) : InetAddressPoint.nextDown(address);
        default -> throw new IllegalArgumentException("no bound: " + value);
      };
    } catch (ArithmeticException e) {
      throw refused("there is no value beyond (" + value + ")");
    }
  }

  static int compare(Object from, Object to) {
    return switch (from) {
      case Long whole -> whole.compareTo((Long) to);
      case Double decimal -> decimal.compareTo((Double) to);
      default ->
          Arrays.compareUnsigned(
              InetAddressPoint.encode((InetAddress) from),
              InetAddressPoint.encode((InetAddress) to));
    };
  }

  /**
   * The lower bound of a queried range.
   *
   * @param from {@code null} for no bound
   */
  static Object lower(LeafField field, @Nullable Object from, boolean included, DateMath dates) {
    if (from == null) {
      return least(field.type());
    }
    Object low = asked(field, from, !included, dates);
    return included ? low : next(field.type(), low, 1);
  }

  /**
   * The upper bound of a queried range.
   *
   * @param to {@code null} for no bound
   */
  static Object upper(LeafField field, @Nullable Object to, boolean included, DateMath dates) {
    if (to == null) {
      return greatest(field.type());
    }
    Object high = asked(field, to, included, dates);
    return included ? high : next(field.type(), high, -1);
  }

  private static Object asked(LeafField field, Object value, boolean toEnd, DateMath dates) {
    return field.type() == FieldType.DATE_RANGE
        ? (Object) dates.millis(value.toString(), toEnd)
        : read(field, value, toEnd);
  }

  private static ValueException refused(String reason) {
    return new ValueException(ErrorBody.illegalArgument(reason));
  }
}
