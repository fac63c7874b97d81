package io.varve.engine.fields;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatField;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * How a value of a mapped field stands in Lucene. The Lucene field has the mapping's full name;
 * points and doc values share it, so that sorting can skip by points.
 *
 * <pre>
 *   type                   indexed                          doc values
 *   text                   terms, frequencies, positions    none
 *   keyword                term                             sorted set
 *   boolean                term "T" or "F"                  sorted numeric 1 or 0
 *   long, date             long point (date: epoch millis)  sorted numeric
 *   scaled_float           long point (value × factor)      sorted numeric
 *   integer, short, byte   int point                        sorted numeric
 *   double                 double point                     sorted numeric, sortable long bits
 *   float, half_float      float point (half: rounded)      sorted numeric, sortable int bits
 *   ip                     address point, 16 bytes          sorted set
 *   geo_point              lat-lon point                    lat-lon
 * </pre>
 *
 * A field that has neither doc values nor norms leaves its name as a term in {@value #FIELD_NAMES},
 * which is how {@code exists} finds it.
 */
public final class MappedFields {

  public static final String FIELD_NAMES = "_field_names";
  public static final String TRUE_TERM = "T";
  public static final String FALSE_TERM = "F";

  private MappedFields() {}

  /**
   * Whether {@link #add} wants a value as it stands in the document, lists and objects too, and not
   * each scalar by itself.
   */
  public static boolean takesWholeValue(LeafField field) {
    return field.type() == io.varve.search.mapping.FieldType.GEO_POINT;
  }

  /**
   * Adds the Lucene fields of one value, those of the field's sub-fields too.
   *
   * @param value String, Boolean or Number as JSON has them; null stands for an explicit null
   * @throws ValueException when the value does not fit
   */
  public static void add(LeafField field, @Nullable Object value, List<IndexableField> into) {
    Object held = value == null ? field.nullValue() : value;
    if (held != null) {
      addOwn(field, held, into);
    }
    if (!field.fields().isEmpty()) {
      for (LeafField sub : field.fields().values()) {
        add(sub, value, into);
      }
    }
  }

  private static void addOwn(LeafField field, Object value, List<IndexableField> into) {
    switch (field.type()) {
      case TEXT -> addText(field, value.toString(), into);
      case KEYWORD -> addKeyword(field, value.toString(), into);
      case BOOLEAN -> addBoolean(field, Values.truth(value), into);
      case LONG, DATE, SCALED_FLOAT -> addLong(field, toLong(field, value), into);
      case INTEGER, SHORT, BYTE -> addInt(field, (int) Values.whole(field.type(), value), into);
      case DOUBLE -> addDouble(field, Values.decimal(field.type(), value), into);
      case FLOAT, HALF_FLOAT -> addFloat(field, (float) Values.decimal(field.type(), value), into);
      case IP -> addAddress(field, value.toString(), into);
      case GEO_POINT -> GeoPoint.parseAll(value).forEach(point -> addPoint(field, point, into));
    }
    if (!findsByValues(field) && (field.indexed() || field.stored())) {
      into.add(new StringField(FIELD_NAMES, field.path(), Field.Store.NO));
    }
  }

  /** Whether {@code exists} can look at doc values or norms. */
  public static boolean findsByValues(LeafField field) {
    return field.docValues() || (field.indexed() && field.norms());
  }

  /** The long under which a long, a date or a scaled float is kept. */
  public static long toLong(LeafField field, Object value) {
    return switch (field.type()) {
      case DATE -> field.dateFormat().parse(value);
      case SCALED_FLOAT -> Math.round(Values.decimal(field.type(), value) * field.scalingFactor());
      default -> Values.whole(field.type(), value);
    };
  }

  /** The term of a keyword: lower case if the field says so. */
  public static BytesRef keywordTerm(LeafField field, String text) {
    return new BytesRef(field.normalizer() == null ? text : text.toLowerCase(Locale.ROOT));
  }

  public static InetAddress address(String text) {
    try {
      return InetAddress.getByAddress(Values.address(text));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of 16 bytes was refused", e);
    }
  }

  private static void addText(LeafField field, String text, List<IndexableField> into) {
    if (field.indexed() || field.stored()) {
      into.add(
          new TextField(
              field.path(),
              text,
              FieldAnalyzers.forIndexing(field),
              TextField.type(field.indexed(), field.norms(), field.stored())));
    }
  }

  private static void addKeyword(LeafField field, String text, List<IndexableField> into) {
    if (text.length() > field.ignoreAbove() || !(field.indexed() || field.docValues())) {
      return;
    }
    BytesRef term = keywordTerm(field, text);
    if (term.length > IndexWriter.MAX_TERM_LENGTH) {
      throw immense(field, term);
    }
    if (field.indexed() && field.docValues()) {
      into.add(new KeywordField(field.path(), term, Field.Store.NO));
    } else if (field.indexed()) {
      into.add(new StringField(field.path(), term, Field.Store.NO));
    } else {
      into.add(new SortedSetDocValuesField(field.path(), term));
    }
  }

  private static void addBoolean(LeafField field, boolean value, List<IndexableField> into) {
    if (field.indexed()) {
      into.add(new StringField(field.path(), value ? TRUE_TERM : FALSE_TERM, Field.Store.NO));
    }
    addNumber(field, value ? 1 : 0, into);
  }

  private static void addLong(LeafField field, long value, List<IndexableField> into) {
    if (field.indexed() && field.docValues()) {
      into.add(new LongField(field.path(), value, Field.Store.NO));
    } else if (field.indexed()) {
      into.add(new LongPoint(field.path(), value));
    } else {
      addNumber(field, value, into);
    }
  }

  private static void addInt(LeafField field, int value, List<IndexableField> into) {
    if (field.indexed() && field.docValues()) {
      into.add(new IntField(field.path(), value, Field.Store.NO));
    } else if (field.indexed()) {
      into.add(new IntPoint(field.path(), value));
    } else {
      addNumber(field, value, into);
    }
  }

  private static void addDouble(LeafField field, double value, List<IndexableField> into) {
    if (field.indexed() && field.docValues()) {
      into.add(new DoubleField(field.path(), value, Field.Store.NO));
    } else if (field.indexed()) {
      into.add(new DoublePoint(field.path(), value));
    } else {
      addNumber(field, NumericUtils.doubleToSortableLong(value), into);
    }
  }

  private static void addFloat(LeafField field, float value, List<IndexableField> into) {
    if (field.indexed() && field.docValues()) {
      into.add(new FloatField(field.path(), value, Field.Store.NO));
    } else if (field.indexed()) {
      into.add(new FloatPoint(field.path(), value));
    } else {
      addNumber(field, NumericUtils.floatToSortableInt(value), into);
    }
  }

  private static void addNumber(LeafField field, long value, List<IndexableField> into) {
    if (field.docValues()) {
      into.add(new SortedNumericDocValuesField(field.path(), value));
    }
  }

  private static void addAddress(LeafField field, String text, List<IndexableField> into) {
    InetAddress address = address(text);
    if (field.indexed()) {
      into.add(new InetAddressPoint(field.path(), address));
    }
    if (field.docValues()) {
      into.add(
          new SortedSetDocValuesField(
              field.path(), new BytesRef(InetAddressPoint.encode(address))));
    }
  }

  private static void addPoint(LeafField field, GeoPoint point, List<IndexableField> into) {
    if (field.indexed()) {
      into.add(new LatLonPoint(field.path(), point.lat(), point.lon()));
    }
    if (field.docValues()) {
      into.add(new LatLonDocValuesField(field.path(), point.lat(), point.lon()));
    }
  }

  /** Refused before anything is written: Lucene itself would refuse the whole document later. */
  private static ValueException immense(LeafField field, BytesRef term) {
    return new ValueException(
        ErrorBody.illegalArgument(
            "Document contains at least one immense term in field=\""
                + field.path()
                + "\" (whose UTF8 encoding is longer than the max length "
                + IndexWriter.MAX_TERM_LENGTH
                + "), its length is "
                + term.length));
  }
}
