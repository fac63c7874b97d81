package io.varve.engine.fields;

import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
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
 * The Lucene representation of fields whose values are ranges, and queries on them. Doc values
 * contain both bounds, each encoded so that bytes sort like values: 8 bytes, or 16 for addresses.
 */
public final class RangeFields {

  /** Required relation between the queried range and a field's range. */
  public enum Relation {
    INTERSECTS,
    CONTAINS,
    WITHIN
  }

  private RangeFields() {}

  static boolean add(LeafField field, Object value, DocumentFields into) {
    if (value instanceof List<?> list) {
      boolean any = false;
      for (Object one : list) {
        any |= one != null && add(field, one, into);
      }
      return any;
    }
    RangeBounds bounds = RangeBounds.parse(field, value);
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

  private static byte[] encode(RangeBounds bounds) {
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
  public static RangeBounds decode(LeafField field, BytesRef encoded) {
    int half = encoded.length / 2;
    byte[] from = Arrays.copyOfRange(encoded.bytes, encoded.offset, encoded.offset + half);
    byte[] to =
        Arrays.copyOfRange(encoded.bytes, encoded.offset + half, encoded.offset + encoded.length);
    return new RangeBounds(decode(field.type(), from), decode(field.type(), to));
  }

  private static Object decode(FieldType type, byte[] bytes) {
    return switch (type) {
      case IP_RANGE -> InetAddressPoint.decode(bytes);
      case FLOAT_RANGE, DOUBLE_RANGE ->
          NumericUtils.sortableLongToDouble(NumericUtils.sortableBytesToLong(bytes, 0));
      default -> NumericUtils.sortableBytesToLong(bytes, 0);
    };
  }

  private static IndexableField lucene(LeafField field, RangeBounds bounds) {
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
    Object lower = RangeBounds.lower(field, from, includeFrom, dates);
    Object upper = RangeBounds.upper(field, to, includeTo, dates);
    if (RangeBounds.compare(lower, upper) > 0) {
      return new MatchNoDocsQuery("an empty range");
    }
    return query(field, new RangeBounds(lower, upper), relation);
  }

  private static Query query(LeafField field, RangeBounds bounds, Relation relation) {
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
}
