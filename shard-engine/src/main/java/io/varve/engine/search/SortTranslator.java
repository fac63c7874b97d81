package io.varve.engine.search;

import io.varve.engine.MetaFields;
import io.varve.engine.fields.MappedFields;
import io.varve.search.SortKey;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * From the keys of a sort to Lucene's. A number sorts in the width of its points, so that whole
 * blocks of a segment can be skipped; what is missing stands at the end of that width, and leaves
 * here as the end of a long, whatever the field's type.
 */
final class SortTranslator {

  /**
   * One key, and how its values are read and written.
   *
   * @param leaf null for score, document order and fields of Varve's own
   * @param shard which of the searched shards this is, for a document's place among all; -1 for
   *     other keys
   */
  record Key(SortField lucene, @Nullable LeafField leaf, long shard) {

    Key(SortField lucene, @Nullable LeafField leaf) {
      this(lucene, leaf, -1);
    }

    /** As an answer shows it. */
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

    /** A value of {@code search_after} as Lucene compares it. */
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
                : longAfter(field, value, nowMillis);
        case INT ->
            Math.clamp(Values.whole(FieldType.LONG, value), Integer.MIN_VALUE, Integer.MAX_VALUE);
        case DOUBLE -> limitless(value);
        case FLOAT -> (float) limitless(value);
        default ->
            field != null && field.type() == FieldType.IP
                ? new BytesRef(InetAddressPoint.encode(MappedFields.address(value.toString())))
                : new BytesRef(value.toString());
      };
    }

    /** In shards before that of {@code place} all equal documents were seen, in later ones none. */
    private int placeHere(long place) {
      long placeShard = place >> 32;
      return placeShard == shard ? (int) place : placeShard < shard ? -1 : Integer.MAX_VALUE;
    }

    private static double limitless(Object value) {
      // Infinity stands for a missing value, and JSON has it as text.
      return value instanceof Number number
          ? number.doubleValue()
          : Double.parseDouble(value.toString());
    }

    private static long longAfter(LeafField field, Object value, long nowMillis) {
      if (value instanceof Long whole && isEnd(whole)) {
        return whole;
      }
      return switch (field.type()) {
        case DATE ->
            value instanceof Long millis
                ? millis
                : new DateMath(field.dateFormat(), nowMillis, ZoneOffset.UTC)
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

    SortField.Type kind() {
      return lucene instanceof SortedNumericSortField numeric
          ? numeric.getNumericType()
          : lucene.getType();
    }
  }

  private final Mapping mapping;
  private final int shard;

  /**
   * @param shard which of the searched shards this is
   */
  SortTranslator(Mapping mapping, int shard) {
    this.mapping = mapping;
    this.shard = shard;
  }

  List<Key> translate(List<SortKey> keys) {
    List<Key> translated = new ArrayList<>();
    try {
      keys.forEach(key -> translated.add(translate(key)));
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    }
    return translated;
  }

  private Key translate(SortKey key) {
    if (key.isScore()) {
      return new Key(new SortField(null, SortField.Type.SCORE, !key.descending()), null);
    }
    if (key.isDoc()) {
      return new Key(new SortField(null, SortField.Type.DOC, key.descending()), null);
    }
    if (key.isShardDoc()) {
      return new Key(new SortField(null, SortField.Type.DOC, key.descending()), null, shard);
    }
    if (key.field().equals(MetaFields.SEQ_NO)) {
      return new Key(new SortField(MetaFields.SEQ_NO, SortField.Type.LONG, key.descending()), null);
    }
    LeafField field = mapping.leaf(key.field());
    return onField(key, field == null ? assumed(key) : field);
  }

  private static LeafField assumed(SortKey key) {
    String typeName = key.unmappedType();
    if (typeName == null) {
      throw SearchErrors.shard("No mapping found for [" + key.field() + "] in order to sort on");
    }
    for (FieldType type : FieldType.values()) {
      if (type.json().equals(typeName)) {
        return LeafField.assumed(key.field(), type);
      }
    }
    throw SearchErrors.illegal("No mapper found for type [" + typeName + "]");
  }

  private static Key onField(SortKey key, LeafField field) {
    if (field.type().isText()) {
      throw SearchErrors.illegal(
          "Text fields are not optimised for operations that require per-document field data like"
              + " aggregations and sorting, so these operations are disabled by default. Please"
              + " use a keyword field instead. Alternatively, set fielddata=true on ["
              + field.path()
              + "] in order to load field data by uninverting the inverted index. Note that this"
              + " can use significant memory.");
    }
    if (!field.docValues()) {
      throw SearchErrors.illegal(
          "Can't load fielddata on ["
              + field.path()
              + "] because fielddata is unsupported on fields of type ["
              + field.type().json()
              + "]. Use doc values instead.");
    }
    return switch (field.type()) {
      case LONG, DATE, DATE_NANOS, UNSIGNED_LONG, SCALED_FLOAT, BOOLEAN ->
          numeric(key, field, SortField.Type.LONG);
      case INTEGER, SHORT, BYTE, TOKEN_COUNT -> numeric(key, field, SortField.Type.INT);
      case DOUBLE -> numeric(key, field, SortField.Type.DOUBLE);
      case FLOAT, HALF_FLOAT -> numeric(key, field, SortField.Type.FLOAT);
      case KEYWORD, WILDCARD, FLAT_OBJECT, IP -> strings(key, field);
      default ->
          throw SearchErrors.illegal(
              "can't sort on geo_point field without using specific sorting feature, like"
                  + " geo_distance");
    };
  }

  private static Key numeric(SortKey key, LeafField field, SortField.Type type) {
    SortedNumericSortField lucene =
        new SortedNumericSortField(
            field.path(),
            type,
            key.descending(),
            key.takesGreatest() ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN);
    lucene.setMissingValue(missing(key, field, type));
    return new Key(lucene, field);
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
        yield Values.decimal(field.type(), key.missing());
      }
      default -> {
        if (last || first) {
          yield greatest ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
        }
        yield (float) Values.decimal(field.type(), key.missing());
      }
    };
  }

  private static Key strings(SortKey key, LeafField field) {
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
    // Lucene turns the ends around with the order.
    lucene.setMissingValue(
        last != key.descending() ? SortField.STRING_LAST : SortField.STRING_FIRST);
    return new Key(lucene, field);
  }
}
