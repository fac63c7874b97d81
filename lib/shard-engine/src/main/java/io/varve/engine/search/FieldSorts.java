package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.engine.fields.ValuesByDocument;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import io.varve.search.query.SortKey;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.jspecify.annotations.Nullable;

/**
 * Sorts by field values. Numbers are compared as ints or longs like their points, so that Lucene
 * can skip blocks of a segment. A sort key that combines several values of a document is computed
 * by {@link ComputedSort}.
 */
final class FieldSorts {

  private FieldSorts() {}

  /** Sorts by the stored values, or by values that the key derives from them. */
  static TranslatedKey of(SortKey key, SortKey.Kind.Values values, LeafField field) {
    return values.numericType() == null && takesOne(key)
        ? onField(key, field)
        : computed(key, values, field, ComputedSort.Source.of(field));
  }

  /**
   * Whether a single value of a document determines its position, not a combination of all values.
   */
  static boolean takesOne(SortKey key) {
    SortKey.Mode mode = key.mode();
    return mode == null || mode == SortKey.Mode.MIN || mode == SortKey.Mode.MAX;
  }

  /** Sorts by a number computed from the values of a source. */
  static TranslatedKey computed(
      SortKey key, SortKey.Kind.Values values, LeafField field, ComputedSort.Source source) {
    String type = values.numericType();
    SortKey.Mode mode = key.mode();
    ValuesByDocument.require(field);
    if (!NumberReading.isNumeric(field)) {
      throw SearchErrors.illegal(
          type != null
              ? "[numeric_type] option cannot be set on a non-numeric field, got "
                  + field.type().json()
              : "we only support AVG, MEDIAN and SUM on number based fields");
    }
    boolean decimal =
        type == null
            ? field.type() == FieldType.SCALED_FLOAT || !wholeInDocValues(field)
            : type.equals("double");
    ComputedSort.Reading reading =
        decimal
            ? new ComputedSort.Reading.Doubles(NumberReading.of(field))
            : field.type() == FieldType.UNSIGNED_LONG
                ? new ComputedSort.Reading.Unsigned()
                : new ComputedSort.Reading.Longs(longs(field, type));
    SortKey.Mode taken =
        mode != null ? mode : key.descending() ? SortKey.Mode.MAX : SortKey.Mode.MIN;
    Object missing = missing(key, field, decimal ? SortField.Type.DOUBLE : SortField.Type.LONG);
    ComputedSort sort = new ComputedSort(source, reading, taken, missing);
    return new TranslatedKey(new SortField(field.path(), sort, key.descending()), field);
  }

  private static boolean wholeInDocValues(LeafField field) {
    return switch (field.type()) {
      case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> false;
      default -> true;
    };
  }

  private static LongUnaryOperator longs(LeafField field, @Nullable String type) {
    if (field.type() == FieldType.DATE && "date_nanos".equals(type)) {
      return millis -> millis * 1_000_000;
    }
    return wholeInDocValues(field)
        ? LongUnaryOperator.identity()
        : bits -> (long) NumberReading.of(field).applyAsDouble(bits);
  }

  static TranslatedKey onField(SortKey key, LeafField field) {
    ValuesByDocument.require(field);
    return switch (field.type()) {
      case LONG, DATE, DATE_NANOS, UNSIGNED_LONG, SCALED_FLOAT, BOOLEAN ->
          numeric(key, field, SortField.Type.LONG);
      case INTEGER, SHORT, BYTE, TOKEN_COUNT -> numeric(key, field, SortField.Type.INT);
      case DOUBLE -> numeric(key, field, SortField.Type.DOUBLE);
      case FLOAT, HALF_FLOAT -> numeric(key, field, SortField.Type.FLOAT);
      case KEYWORD, WILDCARD, FLAT_OBJECT, IP, TEXT, MATCH_ONLY_TEXT -> strings(key, field);
      default ->
          throw SearchErrors.illegal(
              "can't sort on geo_point field without using specific sorting feature, like"
                  + " geo_distance");
    };
  }

  private static TranslatedKey numeric(SortKey key, LeafField field, SortField.Type type) {
    SortedNumericSortField lucene =
        new SortedNumericSortField(
            field.path(),
            type,
            key.descending(),
            key.takesGreatest() ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN);
    lucene.setMissingValue(missing(key, field, type));
    return new TranslatedKey(lucene, field);
  }

  private static Object missing(SortKey key, LeafField field, SortField.Type type) {
    boolean last = key.missing().equals(SortKey.MISSING_LAST);
    boolean first = key.missing().equals(SortKey.MISSING_FIRST);
    boolean greatest = last != key.descending();
    return switch (type) {
      case LONG -> {
        if (last || first) {
          yield greatest ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
        if (!wholeInDocValues(field) && field.type() != FieldType.SCALED_FLOAT) {
          yield Values.whole(FieldType.LONG, key.missing());
        }
        yield field.type() == FieldType.BOOLEAN
            ? (Long) (Values.truth(key.missing()) ? 1L : 0L)
            : (Long) MappedFields.toLong(field, key.missing());
      }
      case INT -> {
        if (last || first) {
          yield greatest ? Integer.MAX_VALUE : Integer.MIN_VALUE;
        }
        yield (int) Values.whole(field.type(), key.missing());
      }
      case DOUBLE -> {
        if (last || first) {
          yield greatest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        yield Values.decimal(
            wholeInDocValues(field) ? FieldType.DOUBLE : field.type(), key.missing());
      }
      default -> {
        if (last || first) {
          yield greatest ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
        }
        yield (float) Values.decimal(field.type(), key.missing());
      }
    };
  }

  private static TranslatedKey strings(SortKey key, LeafField field) {
    SortedSetSortField lucene =
        new SortedSetSortField(
            field.path(),
            key.descending(),
            key.takesGreatest() ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN);
    boolean last = key.missing().equals(SortKey.MISSING_LAST);
    if (!last && !key.missing().equals(SortKey.MISSING_FIRST)) {
      throw SearchErrors.illegal(
          "[missing] of a sort on ["
              + field.path()
              + "] must be _first or _last, was ["
              + key.missing()
              + "]");
    }
    // Lucene applies the order to missing values as well.
    lucene.setMissingValue(
        last != key.descending() ? SortField.STRING_LAST : SortField.STRING_FIRST);
    return new TranslatedKey(lucene, field);
  }
}
