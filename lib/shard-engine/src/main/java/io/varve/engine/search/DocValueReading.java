package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.engine.fields.ValuesByDocument;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import java.io.IOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Reads doc values in the format of responses. */
final class DocValueReading {

  private DocValueReading() {}

  /** Values of metadata fields. */
  static FieldValuesPart.@Nullable Values meta(String name) {
    if (!name.equals(MetaFields.SEQ_NO) && !name.equals(MetaFields.VERSION)) {
      return null;
    }
    return hit -> {
      // Metadata are stored in the root document only.
      HitContext root = hit.root();
      NumericDocValues values = root.leaf.reader().getNumericDocValues(name);
      return values != null && values.advanceExact(root.doc)
          ? List.of(values.longValue())
          : List.of();
    };
  }

  static FieldValuesPart.Values of(LeafField field, @Nullable String format) {
    ValuesByDocument.require(field);
    return switch (field.type()) {
      case KEYWORD, WILDCARD, FLAT_OBJECT, IP, TEXT, MATCH_ONLY_TEXT -> hit -> terms(hit, field);
      case CONSTANT_KEYWORD -> _ -> List.of(field.constant());
      case GEO_POINT -> hit -> points(hit, field);
      default -> {
        LongShown shown = shown(field, format);
        yield hit -> numbers(hit, field, shown);
      }
    };
  }

  /** Formats a number from doc values. */
  interface LongShown {
    Object of(long value);
  }

  static LongShown shown(LeafField field, @Nullable String format) {
    return switch (field.type()) {
      case DATE -> {
        DateFormat dates = format == null ? field.dateFormat() : dateFormat(format);
        yield dates::print;
      }
      case DATE_NANOS -> {
        DateFormat dates = format == null ? field.dateFormat() : dateFormat(format);
        yield nanos -> dates.print(DateFormat.ofNanos(nanos), ZoneOffset.UTC);
      }
      case UNSIGNED_LONG -> Values::ofSortable;
      case BOOLEAN -> bit -> bit != 0;
      case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> {
        LongToDoubleFunction reading = NumberReading.of(field);
        DecimalFormat pattern = format == null ? null : decimalFormat(format);
        yield value ->
            pattern == null
                ? (Object) reading.applyAsDouble(value)
                : pattern.format(reading.applyAsDouble(value));
      }
      default -> {
        DecimalFormat pattern = format == null ? null : decimalFormat(format);
        yield value -> pattern == null ? (Object) value : pattern.format(value);
      }
    };
  }

  static DateFormat dateFormat(String format) {
    try {
      return DateFormat.of(format);
    } catch (IllegalArgumentException e) {
      throw SearchErrors.illegal(String.valueOf(e.getMessage()));
    }
  }

  private static DecimalFormat decimalFormat(String format) {
    try {
      return new DecimalFormat(format, DecimalFormatSymbols.getInstance(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw SearchErrors.illegal("Malformed number format [" + format + "]");
    }
  }

  private static List<Object> numbers(HitContext hit, LeafField field, LongShown shown)
      throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(hit.leaf.reader(), field.path());
    List<Object> list = new ArrayList<>();
    if (values.advanceExact(hit.doc)) {
      for (int i = 0; i < values.docValueCount(); i++) {
        list.add(shown.of(values.nextValue()));
      }
    }
    return list;
  }

  private static List<Object> terms(HitContext hit, LeafField field) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(hit.leaf.reader(), field.path());
    List<Object> list = new ArrayList<>();
    if (values.advanceExact(hit.doc)) {
      for (int i = 0; i < values.docValueCount(); i++) {
        list.add(term(field, values.lookupOrd(values.nextOrd())));
      }
    }
    return list;
  }

  /** Formats a term. */
  static Object term(LeafField field, BytesRef term) {
    return field.type() == FieldType.IP
        ? Values.addressText(InetAddressPoint.decode(BytesRef.deepCopyOf(term).bytes))
        : term.utf8ToString();
  }

  private static List<Object> points(HitContext hit, LeafField field) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(hit.leaf.reader(), field.path());
    List<Object> list = new ArrayList<>();
    if (values.advanceExact(hit.doc)) {
      for (int i = 0; i < values.docValueCount(); i++) {
        long point = values.nextValue();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("lat", GeoEncodingUtils.decodeLatitude((int) (point >>> 32)));
        shown.put("lon", GeoEncodingUtils.decodeLongitude((int) point));
        list.add(shown);
      }
    }
    return list;
  }
}
