package io.varve.engine.fields;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.document.BinaryDocValuesField;
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
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Makes Lucene fields of the values of one mapped field and of its sub-fields, as {@link
 * MappedFields} says. Made once for each mapping; safe to share.
 */
public final class FieldWriter {

  private final LeafField field;
  private final List<FieldWriter> subFields;
  private final boolean indexed;
  private final boolean docValues;
  private final boolean stored;
  private final boolean named;
  private final @Nullable TextTypes text;

  public FieldWriter(LeafField field) {
    this.field = field;
    this.subFields = field.fields().values().stream().map(FieldWriter::new).toList();
    this.indexed = field.indexed();
    this.docValues = field.docValues();
    this.stored = field.stored();
    this.named = MappedFields.findsByName(field);
    this.text = field.type().isText() ? new TextTypes(field) : null;
  }

  public LeafField field() {
    return field;
  }

  /**
   * Whether {@link #add} wants a value as it stands in the document, lists and objects too, and not
   * each scalar by itself.
   */
  public boolean takesWholeValue() {
    return switch (field.type()) {
      case GEO_POINT, GEO_SHAPE, FLAT_OBJECT -> true;
      default -> field.type().isRange();
    };
  }

  /**
   * Adds the Lucene fields of one value, those of the field's sub-fields too.
   *
   * @param value String, Boolean or Number as JSON has them; null stands for an explicit null
   * @throws ValueException when the value does not fit
   */
  public void add(@Nullable Object value, DocumentFields into) {
    Object held = value == null || isEmptyNumber(value) ? field.nullValue() : value;
    if (held != null) {
      try {
        addOwn(held, into);
      } catch (ValueException e) {
        if (!field.ignoreMalformed()) {
          throw e;
        }
        into.ignored(field.path());
      }
    }
    for (FieldWriter sub : subFields) {
      sub.add(value, into);
    }
  }

  /** An empty text is no number, and no error where texts are taken for numbers. */
  private boolean isEmptyNumber(Object value) {
    return value instanceof String string
        && string.isEmpty()
        && field.type().isNumber()
        && field.coerce();
  }

  private void addOwn(Object value, DocumentFields into) {
    boolean held =
        switch (field.type()) {
          case TEXT, MATCH_ONLY_TEXT -> addText(value.toString(), into);
          case KEYWORD, WILDCARD -> addKeyword(value.toString(), into);
          case CONSTANT_KEYWORD -> requireConstant(value.toString());
          case FLAT_OBJECT -> FlatObjects.add(field, value, into);
          case BOOLEAN -> addBoolean(Values.truth(value), into);
          case LONG, DATE, DATE_NANOS, SCALED_FLOAT, UNSIGNED_LONG ->
              addLong(MappedFields.toLong(field, coerced(value)), into);
          case INTEGER, SHORT, BYTE ->
              addInt((int) Values.whole(field.type(), coerced(value)), into);
          case TOKEN_COUNT -> addInt(tokens(value), into);
          case DOUBLE -> addDouble(Values.decimal(field.type(), coerced(value)), into);
          case FLOAT, HALF_FLOAT ->
              addFloat((float) Values.decimal(field.type(), coerced(value)), into);
          case IP -> addAddress(value.toString(), into);
          case GEO_POINT -> addPoints(value, into);
          case GEO_SHAPE -> GeoShapes.add(field, value, into);
          case INTEGER_RANGE, LONG_RANGE, FLOAT_RANGE, DOUBLE_RANGE, DATE_RANGE, IP_RANGE ->
              RangeFields.add(field, value, into);
          case BINARY -> addBinary(value, into);
        };
    if (held && named) {
      into.add(new StringField(MappedFields.FIELD_NAMES, field.path(), Field.Store.NO));
    }
  }

  /** A number as it stands when the field does not take anything else for one. */
  private Object coerced(Object value) {
    if (field.type().isDate() || field.coerce()) {
      return value;
    }
    if (value instanceof String) {
      String json = field.type().json();
      String name =
          switch (field.type()) {
            case UNSIGNED_LONG -> "BigInteger";
            case SCALED_FLOAT -> "Double";
            case HALF_FLOAT -> "Float";
            default -> Character.toUpperCase(json.charAt(0)) + json.substring(1);
          };
      throw new ValueException(ErrorBody.illegalArgument(name + " value passed as String"));
    }
    if ((field.type().isWhole() || field.type() == io.varve.search.mapping.FieldType.UNSIGNED_LONG)
        && Values.hasDecimals(value)) {
      throw new ValueException(
          ErrorBody.illegalArgument("Value [" + value + "] has a decimal part"));
    }
    return value;
  }

  private boolean addText(String value, DocumentFields into) {
    if (text != null) {
      text.add(value, into);
    }
    return indexed || stored;
  }

  private boolean addKeyword(String value, DocumentFields into) {
    if (value.length() > field.ignoreAbove() || !(indexed || docValues || stored)) {
      return false;
    }
    BytesRef term = MappedFields.keywordTerm(field, value);
    if ((indexed || docValues) && term.length > IndexWriter.MAX_TERM_LENGTH) {
      throw immense(term);
    }
    boolean plain = !field.norms() && field.indexOptions().equals("docs");
    if (indexed && !plain) {
      into.add(new Field(field.path(), term, TextTypes.keyword(field)));
      if (docValues) {
        into.add(new SortedSetDocValuesField(field.path(), term));
      }
    } else if (indexed && docValues) {
      into.add(new KeywordField(field.path(), term, Field.Store.NO));
    } else if (indexed) {
      into.add(new StringField(field.path(), term, Field.Store.NO));
    } else if (docValues) {
      into.add(new SortedSetDocValuesField(field.path(), term));
    }
    if (stored) {
      into.add(new StoredField(field.path(), term.utf8ToString()));
    }
    return true;
  }

  private boolean requireConstant(String value) {
    if (!value.equals(field.constant())) {
      throw new ValueException(
          ErrorBody.illegalArgument(
              "constant keyword field ["
                  + field.path()
                  + "] must have a value of ["
                  + field.constant()
                  + "]"));
    }
    return false;
  }

  private boolean addBoolean(boolean value, DocumentFields into) {
    if (indexed) {
      into.add(
          new StringField(
              field.path(),
              value ? MappedFields.TRUE_TERM : MappedFields.FALSE_TERM,
              Field.Store.NO));
    }
    addNumber(value ? 1 : 0, into);
    if (stored) {
      into.add(
          new StoredField(field.path(), value ? MappedFields.TRUE_TERM : MappedFields.FALSE_TERM));
    }
    return true;
  }

  private boolean addLong(long value, DocumentFields into) {
    if (indexed && docValues) {
      into.add(new LongField(field.path(), value, Field.Store.NO));
    } else if (indexed) {
      into.add(new LongPoint(field.path(), value));
    } else {
      addNumber(value, into);
    }
    if (stored) {
      into.add(new StoredField(field.path(), value));
    }
    return true;
  }

  private boolean addInt(int value, DocumentFields into) {
    if (indexed && docValues) {
      into.add(new IntField(field.path(), value, Field.Store.NO));
    } else if (indexed) {
      into.add(new IntPoint(field.path(), value));
    } else {
      addNumber(value, into);
    }
    if (stored) {
      into.add(new StoredField(field.path(), value));
    }
    return true;
  }

  private boolean addDouble(double value, DocumentFields into) {
    if (indexed && docValues) {
      into.add(new DoubleField(field.path(), value, Field.Store.NO));
    } else if (indexed) {
      into.add(new DoublePoint(field.path(), value));
    } else {
      addNumber(NumericUtils.doubleToSortableLong(value), into);
    }
    if (stored) {
      into.add(new StoredField(field.path(), value));
    }
    return true;
  }

  private boolean addFloat(float value, DocumentFields into) {
    if (indexed && docValues) {
      into.add(new FloatField(field.path(), value, Field.Store.NO));
    } else if (indexed) {
      into.add(new FloatPoint(field.path(), value));
    } else {
      addNumber(NumericUtils.floatToSortableInt(value), into);
    }
    if (stored) {
      into.add(new StoredField(field.path(), value));
    }
    return true;
  }

  private void addNumber(long value, DocumentFields into) {
    if (docValues) {
      into.add(new SortedNumericDocValuesField(field.path(), value));
    }
  }

  private boolean addAddress(String value, DocumentFields into) {
    InetAddress address = MappedFields.address(value);
    BytesRef bytes = new BytesRef(InetAddressPoint.encode(address));
    if (indexed) {
      into.add(new InetAddressPoint(field.path(), address));
    }
    if (docValues) {
      into.add(new SortedSetDocValuesField(field.path(), bytes));
    }
    if (stored) {
      into.add(new StoredField(field.path(), bytes));
    }
    return true;
  }

  private boolean addPoints(Object value, DocumentFields into) {
    List<GeoPoint> points = GeoPoint.parseAll(value);
    for (GeoPoint point : points) {
      if (indexed) {
        into.add(new LatLonPoint(field.path(), point.lat(), point.lon()));
      }
      if (docValues) {
        into.add(new LatLonDocValuesField(field.path(), point.lat(), point.lon()));
      }
      if (stored) {
        into.add(new StoredField(field.path(), point.lat() + ", " + point.lon()));
      }
    }
    return !points.isEmpty();
  }

  private boolean addBinary(Object value, DocumentFields into) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(value.toString());
    } catch (IllegalArgumentException e) {
      throw new ValueException(
          ErrorBody.illegalArgument("failed to parse base64 string: " + e.getMessage()));
    }
    if (stored) {
      into.add(new StoredField(field.path(), bytes));
    }
    if (docValues) {
      into.add(new BinaryDocValuesField(field.path(), new BytesRef(bytes)));
    }
    return stored || docValues;
  }

  private int tokens(Object value) {
    // A null value is the count itself.
    if (value instanceof Number number) {
      return number.intValue();
    }
    int count = 0;
    int position = 0;
    try (TokenStream tokens =
        FieldAnalyzers.forIndexing(field).tokenStream(field.path(), value.toString())) {
      PositionIncrementAttribute increment = tokens.addAttribute(PositionIncrementAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        count += Math.min(1, increment.getPositionIncrement());
        position += increment.getPositionIncrement();
      }
      tokens.end();
      position += increment.getPositionIncrement();
    } catch (IOException e) {
      throw new UncheckedIOException("reading a text in memory", e);
    }
    return field.countsPositions() ? position : count;
  }

  /** Refused before anything is written: Lucene itself would refuse the whole document later. */
  private ValueException immense(BytesRef term) {
    return new ValueException(
        ErrorBody.illegalArgument(
            "Document contains at least one immense term in field=\""
                + field.path()
                + "\" (whose UTF8 encoding is longer than the max length "
                + IndexWriter.MAX_TERM_LENGTH
                + "), its length is "
                + term.length));
  }

  /** The Lucene fields of one value, for who has no document. */
  public List<org.apache.lucene.index.IndexableField> fieldsOf(@Nullable Object value) {
    List<org.apache.lucene.index.IndexableField> fields = new ArrayList<>();
    add(
        value,
        new DocumentFields() {
          @Override
          public void add(org.apache.lucene.index.IndexableField made) {
            fields.add(made);
          }

          @Override
          public void ignored(String path) {}
        });
    return fields;
  }
}
