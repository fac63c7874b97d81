package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import java.time.ZoneOffset;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * A sort key in Lucene's form, with the conversion of its values. Internally a missing value is the
 * extreme value of its type; in responses it is the extreme value of a long.
 *
 * @param leaf null for score, document order and custom fields
 * @param shard ordinal among the searched shards, for the position of a document over all shards;
 *     -1 for other keys
 */
record TranslatedKey(SortField lucene, @Nullable LeafField leaf, long shard, Showing showing) {

  /**
   * Conversion of a key's values for the response.
   *
   * @param format null for none
   * @param divisor for numbers shown in another unit
   */
  record Showing(@Nullable String format, double divisor) {
    static final Showing PLAIN = new Showing(null, 1);
  }

  TranslatedKey(SortField lucene, @Nullable LeafField leaf) {
    this(lucene, leaf, -1, Showing.PLAIN);
  }

  TranslatedKey showing(Showing newShowing) {
    return new TranslatedKey(lucene, leaf, shard, newShowing);
  }

  /** Applies the key's format. */
  @Nullable Object formatted(@Nullable Object value) {
    LeafField field = leaf;
    String format = showing.format;
    if (field == null || format == null || !(value instanceof Long whole) || isEnd(whole)) {
      return value;
    }
    return DocValueReading.shown(field, format).of(whole);
  }

  /** Converts a value for the response. */
  @Nullable Object shown(@Nullable Object value) {
    LeafField field = leaf;
    if (shard >= 0 && value instanceof Integer doc) {
      return (Long) (shard << 32 | doc);
    }
    if (field == null) {
      return value instanceof Integer doc ? (Long) doc.longValue() : value;
    }
    return switch (value) {
      case null -> null;
      case Double number when showing.divisor != 1 -> number / showing.divisor;
      case Integer whole ->
          whole == Integer.MAX_VALUE
              ? (Long) Long.MAX_VALUE
              : whole == Integer.MIN_VALUE ? (Long) Long.MIN_VALUE : (Long) whole.longValue();
      case Long scaled when field.type() == FieldType.SCALED_FLOAT && !isEnd(scaled) ->
          scaled / field.scalingFactor();
      case Long bits when field.type() == FieldType.UNSIGNED_LONG -> Values.ofSortable(bits);
      case BytesRef bytes when field.type() == FieldType.IP ->
          InetAddressPoint.decode(BytesRef.deepCopyOf(bytes).bytes);
      case BytesRef bytes -> bytes.utf8ToString();
      default -> value;
    };
  }

  private static boolean isEnd(long value) {
    return value == Long.MAX_VALUE || value == Long.MIN_VALUE;
  }

  /** Converts a value of {@code search_after} to the one that Lucene compares. */
  @Nullable Object after(@Nullable Object value, long nowMillis) {
    LeafField field = leaf;
    if (value == null) {
      return null;
    }
    return switch (kind()) {
      case SCORE -> (float) Values.decimal(FieldType.DOUBLE, value);
      case DOC ->
          shard < 0
              ? (int) Values.whole(FieldType.INTEGER, value)
              : placeHere(Values.whole(FieldType.LONG, value));
      case LONG ->
          field == null
              ? Values.whole(FieldType.LONG, value)
              : longAfter(field, value, nowMillis, showing.format);
      case INT ->
          Math.clamp(Values.whole(FieldType.LONG, value), Integer.MIN_VALUE, Integer.MAX_VALUE);
      case DOUBLE -> limitless(value) * showing.divisor;
      case FLOAT -> (float) limitless(value);
      default ->
          field != null && field.type() == FieldType.IP
              ? new BytesRef(InetAddressPoint.encode(MappedFields.address(value.toString())))
              : new BytesRef(value.toString());
    };
  }

  /**
   * The document to continue after. Of the documents with equal keys, earlier shards than that of
   * {@code place} have returned all, later ones none.
   */
  private int placeHere(long place) {
    long placeShard = place >> 32;
    return placeShard == shard ? (int) place : placeShard < shard ? -1 : Integer.MAX_VALUE;
  }

  private static double limitless(Object value) {
    // Infinity represents a missing value and is a string in JSON.
    return value instanceof Number number
        ? number.doubleValue()
        : Double.parseDouble(value.toString());
  }

  private static long longAfter(
      LeafField field, Object value, long nowMillis, @Nullable String format) {
    if (value instanceof Long whole && isEnd(whole)) {
      return whole;
    }
    return switch (field.type()) {
      case DATE ->
          value instanceof Long millis
              ? millis
              : new DateMath(
                      format == null
                          ? field.dateFormat()
                          : DateFormat.of(format + "||" + field.dateFormat()),
                      nowMillis,
                      ZoneOffset.UTC)
                  .millis(value.toString(), false);
      case DATE_NANOS ->
          value instanceof Long nanos
              ? nanos
              : DateFormat.nanos(
                  new DateMath(field.dateFormat(), nowMillis, ZoneOffset.UTC)
                      .instant(value.toString(), false));
      case BOOLEAN -> value instanceof Long bit ? bit : Values.truth(value) ? 1L : 0L;
      default -> MappedFields.toLong(field, value);
    };
  }

  /** Whether the field's points are in sort order. */
  boolean isByPoints() {
    LeafField field = leaf;
    return field != null
        && field.indexed()
        && switch (field.type()) {
          case LONG,
              DATE,
              DATE_NANOS,
              INTEGER,
              SHORT,
              BYTE,
              DOUBLE,
              FLOAT,
              HALF_FLOAT,
              SCALED_FLOAT ->
              true;
          default -> false;
        };
  }

  /** Whether the key compares terms; documents may have none. */
  boolean isOfTerms() {
    return switch (kind()) {
      case SCORE, DOC, INT, LONG, FLOAT, DOUBLE -> false;
      default -> true;
    };
  }

  SortField.Type kind() {
    if (lucene.getComparatorSource() instanceof ComputedSort computed) {
      return computed.isWhole() ? SortField.Type.LONG : SortField.Type.DOUBLE;
    }
    if (leaf != null && leaf.type() == FieldType.GEO_POINT) {
      return SortField.Type.DOUBLE;
    }
    return lucene instanceof SortedNumericSortField numeric
        ? numeric.getNumericType()
        : lucene.getType();
  }
}
