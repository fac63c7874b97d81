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
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.DoubleRange;
import org.apache.lucene.document.FloatRange;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.InetAddressRange;
import org.apache.lucene.document.IntRange;
import org.apache.lucene.document.LongRange;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Fields whose values are ranges. Both bounds are moved to the nearest included value; doc values
 * contain both, each encoded so that bytes sort like values: 8 bytes, or 16 for addresses.
 */
public final class RangeFields {

  /** Required relation between the queried range and a field's range. */
  public enum Relation {
    INTERSECTS,
    CONTAINS,
    WITHIN
  }

  /** The bounds of a range, both inclusive: Long, Double or InetAddress. */
  public record Bounds(Object from, Object to) {}

  private RangeFields() {}

  static boolean add(LeafField field, Object value, DocumentFields into) {
    if (value instanceof List<?> list) {
      boolean any = false;
      for (Object one : list) {
        any |= one != null && add(field, one, into);
      }
      return any;
    }
    Bounds bounds = bounds(field, value);
    byte[] encoded = encode(bounds);
    if (field.indexed()) {
      into.add(lucene(field, bounds));
    }
    if (field.docValues()) {
      into.add(new SortedSetDocValuesField(field.path(), new BytesRef(encoded)));
    }
    if (field.stored()) {
      into.add(new StoredField(field.path(), encoded));
    }
    return true;
  }

  private static Bounds bounds(LeafField field, Object value) {
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
    return new Bounds(from, to);
  }

  /** An address block in CIDR notation. */
  private static Bounds block(String text) {
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
    return new Bounds(InetAddressPoint.decode(low), InetAddressPoint.decode(high));
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

  private static int compare(Object from, Object to) {
    return switch (from) {
      case Long whole -> whole.compareTo((Long) to);
      case Double decimal -> decimal.compareTo((Double) to);
      default ->
          Arrays.compareUnsigned(
              InetAddressPoint.encode((InetAddress) from),
              InetAddressPoint.encode((InetAddress) to));
    };
  }

  private static byte[] encode(Bounds bounds) {
    byte[] from = encode(bounds.from());
    byte[] to = encode(bounds.to());
    byte[] both = Arrays.copyOf(from, from.length + to.length);
    System.arraycopy(to, 0, both, from.length, to.length);
    return both;
  }

  private static byte[] encode(Object bound) {
    if (bound instanceof InetAddress address) {
      return InetAddressPoint.encode(address);
    }
    long sortable =
        bound instanceof Double decimal ? NumericUtils.doubleToSortableLong(decimal) : (Long) bound;
    byte[] bytes = new byte[Long.BYTES];
    NumericUtils.longToSortableBytes(sortable, bytes, 0);
    return bytes;
  }

  /** Decodes doc values. */
  public static Bounds decode(LeafField field, BytesRef encoded) {
    int half = encoded.length / 2;
    byte[] from = Arrays.copyOfRange(encoded.bytes, encoded.offset, encoded.offset + half);
    byte[] to =
        Arrays.copyOfRange(encoded.bytes, encoded.offset + half, encoded.offset + encoded.length);
    return new Bounds(decode(field.type(), from), decode(field.type(), to));
  }

  private static Object decode(FieldType type, byte[] bytes) {
    return switch (type) {
      case IP_RANGE -> InetAddressPoint.decode(bytes);
      case FLOAT_RANGE, DOUBLE_RANGE ->
          NumericUtils.sortableLongToDouble(NumericUtils.sortableBytesToLong(bytes, 0));
      default -> NumericUtils.sortableBytesToLong(bytes, 0);
    };
  }

  private static IndexableField lucene(LeafField field, Bounds bounds) {
    String path = field.path();
    return switch (field.type()) {
      case INTEGER_RANGE -> new IntRange(path, ints(bounds.from()), ints(bounds.to()));
      case LONG_RANGE, DATE_RANGE -> new LongRange(path, longs(bounds.from()), longs(bounds.to()));
      case FLOAT_RANGE -> new FloatRange(path, floats(bounds.from()), floats(bounds.to()));
      case DOUBLE_RANGE -> new DoubleRange(path, doubles(bounds.from()), doubles(bounds.to()));
      default -> new InetAddressRange(path, (InetAddress) bounds.from(), (InetAddress) bounds.to());
    };
  }

  private static int[] ints(Object bound) {
    return new int[] {Math.toIntExact((Long) bound)};
  }

  private static long[] longs(Object bound) {
    return new long[] {(Long) bound};
  }

  private static float[] floats(Object bound) {
    return new float[] {((Double) bound).floatValue()};
  }

  private static double[] doubles(Object bound) {
    return new double[] {(Double) bound};
  }

  /**
   * Matches documents with a range in this relation to the queried one.
   *
   * @param from {@code null} for no bound; inclusive as specified
   */
  public static Query query(
      LeafField field,
      @Nullable Object from,
      boolean includeFrom,
      @Nullable Object to,
      boolean includeTo,
      Relation relation,
      DateMath dates) {
    Object low = from == null ? least(field.type()) : asked(field, from, !includeFrom, dates);
    Object high = to == null ? greatest(field.type()) : asked(field, to, includeTo, dates);
    Object lower = from == null || includeFrom ? low : next(field.type(), low, 1);
    Object upper = to == null || includeTo ? high : next(field.type(), high, -1);
    if (compare(lower, upper) > 0) {
      return new MatchNoDocsQuery("an empty range");
    }
    return query(field, new Bounds(lower, upper), relation);
  }

  private static Object asked(LeafField field, Object value, boolean toEnd, DateMath dates) {
    return field.type() == FieldType.DATE_RANGE
        ? (Object) dates.millis(value.toString(), toEnd)
        : read(field, value, toEnd);
  }

  private static Query query(LeafField field, Bounds bounds, Relation relation) {
    String path = field.path();
    Object from = bounds.from();
    Object to = bounds.to();
    return switch (field.type()) {
      case INTEGER_RANGE ->
          switch (relation) {
            case INTERSECTS -> IntRange.newIntersectsQuery(path, ints(from), ints(to));
            case CONTAINS -> IntRange.newContainsQuery(path, ints(from), ints(to));
            case WITHIN -> IntRange.newWithinQuery(path, ints(from), ints(to));
          };
      case LONG_RANGE, DATE_RANGE ->
          switch (relation) {
            case INTERSECTS -> LongRange.newIntersectsQuery(path, longs(from), longs(to));
            case CONTAINS -> LongRange.newContainsQuery(path, longs(from), longs(to));
            case WITHIN -> LongRange.newWithinQuery(path, longs(from), longs(to));
          };
      case FLOAT_RANGE ->
          switch (relation) {
            case INTERSECTS -> FloatRange.newIntersectsQuery(path, floats(from), floats(to));
            case CONTAINS -> FloatRange.newContainsQuery(path, floats(from), floats(to));
            case WITHIN -> FloatRange.newWithinQuery(path, floats(from), floats(to));
          };
      case DOUBLE_RANGE ->
          switch (relation) {
            case INTERSECTS -> DoubleRange.newIntersectsQuery(path, doubles(from), doubles(to));
            case CONTAINS -> DoubleRange.newContainsQuery(path, doubles(from), doubles(to));
            case WITHIN -> DoubleRange.newWithinQuery(path, doubles(from), doubles(to));
          };
      default ->
          switch (relation) {
            case INTERSECTS ->
                InetAddressRange.newIntersectsQuery(path, (InetAddress) from, (InetAddress) to);
            case CONTAINS ->
                InetAddressRange.newContainsQuery(path, (InetAddress) from, (InetAddress) to);
            case WITHIN ->
                InetAddressRange.newWithinQuery(path, (InetAddress) from, (InetAddress) to);
          };
    };
  }

  private static ValueException refused(String reason) {
    return new ValueException(ErrorBody.illegalArgument(reason));
  }
}
