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
import org.apache.lucene.document.Field;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Creates the Lucene fields for the values of a mapped field and its sub-fields, see {@link
 * MappedFields}. Created once per mapping; thread-safe.
 */
public final class FieldWriter {

  private final LeafField field;
  private final List<FieldWriter> subFields;
  private final List<String> copyTo;
  private final boolean indexed;
  private final boolean docValues;
  private final boolean stored;
  private final boolean named;
  private final @Nullable TextTypes text;
  private final NumberFields numbers;

  public FieldWriter(LeafField field) {
    this.field = field;
    this.subFields = field.fields().values().stream().map(FieldWriter::new).toList();
    this.copyTo = field.copyTo();
    this.indexed = field.indexed();
    this.docValues = field.docValues();
    this.stored = field.stored();
    this.named = MappedFields.findsByName(field);
    this.text = field.type().isText() ? new TextTypes(field) : null;
    this.numbers = new NumberFields(field);
  }

  public LeafField field() {
    return field;
  }

  /** The fields that also receive the field's values. */
  public List<String> copyTo() {
    return copyTo;
  }

  /**
   * Whether {@link #add} expects the complete value from the document, including arrays and
   * objects, instead of each scalar.
   */
  public boolean takesWholeValue() {
    return switch (field.type()) {
      case GEO_POINT, GEO_SHAPE, FLAT_OBJECT -> true;
      default -> field.type().isRange();
    };
  }

  /**
   * Adds the Lucene fields for one value, including sub-fields.
   *
   * @param value String, Boolean or Number as in JSON; null for an explicit null
   * @throws ValueException if the value is malformed
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

  /** With coercion, an empty string is neither a number nor an error. */
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
          case BOOLEAN -> numbers.addBoolean(Values.truth(value), into);
          case LONG, DATE, DATE_NANOS, SCALED_FLOAT, UNSIGNED_LONG ->
              numbers.addLong(MappedFields.toLong(field, numbers.coerced(value)), into);
          case INTEGER, SHORT, BYTE ->
              numbers.addInt((int) Values.whole(field.type(), numbers.coerced(value)), into);
          case TOKEN_COUNT -> numbers.addInt(tokens(value), into);
          case DOUBLE ->
              numbers.addDouble(Values.decimal(field.type(), numbers.coerced(value)), into);
          case FLOAT, HALF_FLOAT ->
              numbers.addFloat((float) Values.decimal(field.type(), numbers.coerced(value)), into);
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
    // A null_value from the mapping is the count itself.
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

  /**
   * The error for a term that is too long. It is thrown before any field is written, because Lucene
   * would reject the whole document later.
   */
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

  /** The Lucene fields of one value, outside a document. */
  public List<IndexableField> fieldsOf(@Nullable Object value) {
    List<IndexableField> fields = new ArrayList<>();
    add(
        value,
        new DocumentFields() {
          @Override
          public void add(IndexableField made) {
            fields.add(made);
          }

          @Override
          public void ignored(String path) {}
        });
    return fields;
  }
}
