package io.varve.engine.search;

import io.varve.engine.MetaFields;
import io.varve.engine.fields.MappedFields;
import io.varve.engine.fields.NestedDocuments;
import io.varve.search.SortKey;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ToParentBlockJoinSortField;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.SloppyMath;
import org.jspecify.annotations.Nullable;

/**
 * From the keys of a sort to Lucene's. A number sorts in the width of its points, so that whole
 * blocks of a segment can be skipped; what is missing stands at the end of that width, and leaves
 * here as the end of a long, whatever the field's type.
 */
final class SortTranslator {

  /**
   * What becomes of a key's values on their way to the answer.
   *
   * @param format null for none
   * @param divisor of numbers that are shown in another unit
   */
  record Showing(@Nullable String format, double divisor) {
    static final Showing PLAIN = new Showing(null, 1);
  }

  /**
   * One key, and how its values are read and written.
   *
   * @param leaf null for score, document order and fields of Varve's own
   * @param shard which of the searched shards this is, for a document's place among all; -1 for
   *     other keys
   */
  record Key(SortField lucene, @Nullable LeafField leaf, long shard, Showing showing) {

    Key(SortField lucene, @Nullable LeafField leaf) {
      this(lucene, leaf, -1, Showing.PLAIN);
    }

    Key showing(Showing newShowing) {
      return new Key(lucene, leaf, shard, newShowing);
    }

    /** As its format writes it. */
    @Nullable Object formatted(@Nullable Object value) {
      LeafField field = leaf;
      String format = showing.format;
      if (field == null || format == null || !(value instanceof Long whole) || isEnd(whole)) {
        return value;
      }
      return DocValueReading.shown(field, format).of(whole);
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

    SortField.Type kind() {
      if (lucene.getComparatorSource() instanceof ComputedSort computed) {
        return computed.isWhole() ? SortField.Type.LONG : SortField.Type.DOUBLE;
      }
      return lucene instanceof SortedNumericSortField numeric
          ? numeric.getNumericType()
          : lucene.getType();
    }
  }

  private final QueryContext context;
  private final QueryTranslator translator;
  private final int shard;

  /**
   * @param shard which of the searched shards this is
   */
  SortTranslator(QueryContext context, QueryTranslator translator, int shard) {
    this.context = context;
    this.translator = translator;
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
      return new Key(
          new SortField(null, SortField.Type.DOC, key.descending()), null, shard, Showing.PLAIN);
    }
    if (key.field().equals(MetaFields.SEQ_NO)) {
      return new Key(new SortField(MetaFields.SEQ_NO, SortField.Type.LONG, key.descending()), null);
    }
    LeafField field = context.leaf(key.field());
    return switch (key.kind()) {
      case SortKey.Kind.Distance distance -> distance(key, distance, field);
      case SortKey.Kind.Values values ->
          byValues(key, values, field == null ? assumed(key) : field);
    };
  }

  private Key byValues(SortKey key, SortKey.Kind.Values values, LeafField field) {
    SortKey.NestedScope nested = values.nested();
    if (nested != null) {
      return onObjects(key, nested, onField(key, field));
    }
    Key plain = computed(key, values, field);
    String format = values.format();
    if (format != null) {
      // A bad format is refused although no document may have a value.
      var _ = DocValueReading.shown(field, format);
    }
    return format == null ? plain : plain.showing(new Showing(format, 1));
  }

  /** By the values of the objects of a document, the least or the greatest of them. */
  // The sort of parents has no constructor that takes the missing value.
  @SuppressWarnings("deprecation")
  private Key onObjects(SortKey key, SortKey.NestedScope nested, Key plain) {
    SortKey.NestedScope innermost = nested;
    for (SortKey.NestedScope inner = nested.inner(); inner != null; inner = inner.inner()) {
      innermost = inner;
    }
    FieldMapping.ObjectField object = context.mapping().object(innermost.path());
    if (object == null || !object.isNested()) {
      throw SearchErrors.shard(
          "[nested] failed to find nested object under path [" + innermost.path() + "]");
    }
    boolean plainMode =
        key.mode() == null || key.mode() == SortKey.Mode.MIN || key.mode() == SortKey.Mode.MAX;
    if (!plainMode) {
      throw SearchErrors.illegal("a sort by nested objects takes the modes min and max alone");
    }
    BooleanQuery.Builder objects =
        new BooleanQuery.Builder()
            .add(NestedDocuments.at(innermost.path()), BooleanClause.Occur.FILTER);
    io.varve.search.query.Query filter = innermost.filter();
    if (filter != null) {
      String path = innermost.path();
      objects.add(
          context.aside(() -> context.within(path, null, () -> translator.translate(filter))),
          BooleanClause.Occur.FILTER);
    }
    SortField lucene =
        new ToParentBlockJoinSortField(
            plain.lucene.getField(),
            plain.kind() == SortField.Type.CUSTOM ? SortField.Type.STRING : plain.kind(),
            key.descending(),
            key.takesGreatest(),
            NestedQueries.ROOTS,
            new QueryBitSetProducer(objects.build()));
    lucene.setMissingValue(plain.lucene.getMissingValue());
    return new Key(lucene, plain.leaf);
  }

  private static Key computed(SortKey key, SortKey.Kind.Values values, LeafField field) {
    String type = values.numericType();
    SortKey.Mode mode = key.mode();
    boolean plainMode = mode == null || mode == SortKey.Mode.MIN || mode == SortKey.Mode.MAX;
    if (type == null && plainMode) {
      return onField(key, field);
    }
    requireValues(field);
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
            : new ComputedSort.Reading.Longs(longs(field, type));
    SortKey.Mode taken =
        mode != null ? mode : key.descending() ? SortKey.Mode.MAX : SortKey.Mode.MIN;
    Object missing = missing(key, field, decimal ? SortField.Type.DOUBLE : SortField.Type.LONG);
    ComputedSort sort = new ComputedSort(field.path(), reading, taken, missing);
    return new Key(new SortField(field.path(), sort, key.descending()), field);
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

  private static Key distance(
      SortKey key, SortKey.Kind.Distance distance, @Nullable LeafField field) {
    if (field == null && !distance.ignoreUnmapped()) {
      throw SearchErrors.illegal("failed to find mapper for [" + key.field() + "]");
    }
    if (field != null && (field.type() != FieldType.GEO_POINT || !field.docValues())) {
      throw SearchErrors.illegal(
          "field ["
              + key.field()
              + "] is no geo_point with doc values, as a sort by distance needs");
    }
    SortKey.Mode mode =
        key.mode() != null ? key.mode() : key.descending() ? SortKey.Mode.MAX : SortKey.Mode.MIN;
    GeoPoint only = distance.points().getFirst();
    Showing showing = new Showing(null, distance.metersPerUnit());
    String path = field == null ? key.field() : field.path();
    LeafField shownAs = field == null ? LeafField.assumed(key.field(), FieldType.GEO_POINT) : field;
    SortField lucene =
        distance.points().size() == 1 && !key.descending() && mode == SortKey.Mode.MIN
            ? LatLonDocValuesField.newDistanceSort(path, only.lat(), only.lon())
            : new SortField(
                path,
                new ComputedSort(
                    path,
                    new ComputedSort.Reading.Doubles(
                        point -> nearest(distance.points(), point, mode)),
                    mode,
                    key.descending() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY),
                key.descending());
    return new Key(lucene, shownAs, -1, showing);
  }

  private static double nearest(List<GeoPoint> origins, long point, SortKey.Mode mode) {
    double lat = GeoEncodingUtils.decodeLatitude((int) (point >>> 32));
    double lon = GeoEncodingUtils.decodeLongitude((int) point);
    double nearest = Double.POSITIVE_INFINITY;
    double farthest = 0;
    for (GeoPoint origin : origins) {
      double meters = SloppyMath.haversinMeters(origin.lat(), origin.lon(), lat, lon);
      nearest = Math.min(nearest, meters);
      farthest = Math.max(farthest, meters);
    }
    return mode == SortKey.Mode.MAX ? farthest : nearest;
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

  /** Refuses fields that no values by document are kept of. */
  static void requireValues(LeafField field) {
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
  }

  private static Key onField(SortKey key, LeafField field) {
    requireValues(field);
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
