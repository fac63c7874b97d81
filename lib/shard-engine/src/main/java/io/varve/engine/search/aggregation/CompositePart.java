package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.CompositeSource;
import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.result.GeoTiles;
import io.varve.search.aggregation.rounding.Rounding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** One source of a composite aggregation: extracts key parts from a document's values. */
final class CompositePart {

  /** Reads the source in one segment. */
  interface Leaf {
    /** Distinct parts; empty if the document has none and missing values are not requested. */
    List<@Nullable Object> values(int doc) throws IOException;
  }

  private static final List<@Nullable Object> ONLY_NULL = Collections.singletonList(null);

  private final CompositeSource source;
  private final FieldValues values;
  private final FieldResolver resolver;

  CompositePart(CompositeSource source, FieldValues values, FieldResolver resolver) {
    this.source = source;
    this.values = values;
    this.resolver = resolver;
  }

  ValueFormat format() {
    return values.format();
  }

  Leaf leaf(LeafReaderContext leaf) throws IOException {
    List<@Nullable Object> none =
        source.options().missingBucket() ? ONLY_NULL : Collections.emptyList();
    return switch (source) {
      case CompositeSource.OfTerms terms when values.kind() == FieldValues.Kind.BYTES ->
          ofTerms(values.ordinals(leaf), none);
      case CompositeSource.OfTerms terms ->
          ofNumbers(
              values.numbers(leaf),
              none,
              numbers ->
                  values.kind().isWhole() ? (Object) numbers.whole() : (Object) numbers.decimal());
      case CompositeSource.OfHistogram histogram ->
          ofNumbers(
              values.numbers(leaf),
              none,
              numbers ->
                  Math.floor(numbers.decimal() / histogram.interval()) * histogram.interval());
      case CompositeSource.OfDates dates -> {
        Rounding.Prepared rounding = DateRounding.prepared(rounding(dates), values, leaf);
        yield ofNumbers(values.numbers(leaf), none, numbers -> rounding.round(numbers.whole()));
      }
      case CompositeSource.OfGeotile tiles -> ofPoints(tiles, leaf, none);
    };
  }

  private static Rounding rounding(CompositeSource.OfDates dates) {
    return DateRounding.of(dates.interval(), dates.source().zone(), dates.offsetMillis());
  }

  private interface Key {
    Object of(Numbers numbers) throws IOException;
  }

  private static Leaf ofNumbers(Numbers numbers, List<@Nullable Object> none, Key key) {
    return doc -> {
      if (!numbers.advance(doc)) {
        return none;
      }
      List<@Nullable Object> found = new ArrayList<>();
      for (int left = numbers.count(); left > 0; left--) {
        Object next = key.of(numbers);
        if (found.isEmpty() || !next.equals(found.getLast())) {
          found.add(next);
        }
      }
      return found;
    };
  }

  private static Leaf ofTerms(SortedSetDocValues ordinals, List<@Nullable Object> none) {
    return doc -> {
      if (!ordinals.advanceExact(doc)) {
        return none;
      }
      List<@Nullable Object> found = new ArrayList<>();
      for (int left = ordinals.docValueCount(); left > 0; left--) {
        BytesRef term = ordinals.lookupOrd(ordinals.nextOrd());
        found.add(
            new BytesKey(Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length)));
      }
      return found;
    };
  }

  private Leaf ofPoints(
      CompositeSource.OfGeotile tiles, LeafReaderContext leaf, List<@Nullable Object> none)
      throws IOException {
    if (values.field() == null) {
      return doc -> none;
    }
    SortedNumericDocValues points =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    return doc -> {
      if (!points.advanceExact(doc)) {
        return none;
      }
      List<@Nullable Object> found = new ArrayList<>();
      for (int left = points.docValueCount(); left > 0; left--) {
        long point = points.nextValue();
        double lat = GeoEncodingUtils.decodeLatitude((int) (point >>> 32));
        double lon = GeoEncodingUtils.decodeLongitude((int) point);
        Object tile = GeoTiles.tile(lat, lon, tiles.precision());
        boolean within = tiles.bounds() == null || tiles.bounds().contains(lat, lon);
        if (within && !found.contains(tile)) {
          found.add(tile);
        }
      }
      return found;
    };
  }

  /** A part of the {@code after} key. */
  @Nullable Object after(@Nullable Object given) {
    if (given == null) {
      if (!source.options().missingBucket()) {
        throw FieldResolver.illegal(
            "Missing value for [after." + source.name() + "]: a null needs [missing_bucket]");
      }
      return null;
    }
    try {
      return switch (source) {
        case CompositeSource.OfGeotile tiles -> (Object) GeoTiles.parseTile(given.toString());
        case CompositeSource.OfHistogram histogram -> (Object) Double.parseDouble(given.toString());
        default ->
            switch (resolver.key(values, given)) {
              case BytesRef bytes ->
                  new BytesKey(
                      Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length));
              case Long bits when !values.kind().isWhole() ->
                  (Object) Double.longBitsToDouble(bits);
              case Object key -> key;
            };
      };
    } catch (NumberFormatException e) {
      throw FieldResolver.illegal(
          "invalid value for [after." + source.name() + "]: " + e.getMessage());
    }
  }
}
