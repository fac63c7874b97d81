package io.varve.engine.fields;

import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Creates the Lucene fields for values of the most frequent types in their most frequent notation,
 * given as bytes or primitives.
 *
 * <p>A method that returns false has no effect; the value must then be passed to {@link
 * FieldWriter#add}. From an accepted value, a method creates the same fields as {@link
 * FieldWriter#add}. Created once per mapping; thread-safe.
 */
public final class PlainValues {

  private enum Kind {
    TERM,
    WHOLE,
    DECIMAL,
    DATE,
    POINT,

    /** All values are left to the {@link FieldWriter}. */
    OTHER
  }

  private final Kind kind;
  private final String path;
  private final FieldType type;
  private final NumberFields numbers;
  private final boolean indexed;
  private final boolean docValues;
  private final boolean stored;
  private final boolean named;
  private final int ignoreAbove;
  private final double scalingFactor;
  private final @Nullable DateFormat dates;

  private PlainValues(LeafField field) {
    kind = kind(field);
    path = field.path();
    type = field.type();
    numbers = new NumberFields(field);
    indexed = field.indexed();
    docValues = field.docValues();
    stored = field.stored();
    named = MappedFields.findsByName(field);
    ignoreAbove = field.ignoreAbove();
    scalingFactor = field.scalingFactor();
    dates = kind == Kind.DATE ? field.dateFormat() : null;
  }

  /**
   * For a field whose values may be added one by one; {@code null} for one whose values are copied
   * to others, or that takes whole values other than points.
   */
  public static @Nullable PlainValues of(FieldWriter writer) {
    LeafField field = writer.field();
    boolean takesWhole = writer.takesWholeValue() && field.type() != FieldType.GEO_POINT;
    boolean pointWithMore = field.type() == FieldType.GEO_POINT && !field.fields().isEmpty();
    return takesWhole || pointWithMore || !writer.copyTo().isEmpty()
        ? null
        : new PlainValues(field);
  }

  private static Kind kind(LeafField field) {
    if (!field.fields().isEmpty()) {
      return Kind.OTHER;
    }
    return switch (field.type()) {
      case KEYWORD -> isPlainTerm(field) ? Kind.TERM : Kind.OTHER;
      case LONG, INTEGER, SHORT, BYTE -> Kind.WHOLE;
      case DOUBLE, FLOAT, SCALED_FLOAT -> Kind.DECIMAL;
      case DATE -> Kind.DATE;
      case GEO_POINT -> Kind.POINT;
      default -> Kind.OTHER;
    };
  }

  private static boolean isPlainTerm(LeafField field) {
    return field.normalizer() == null && !field.norms() && field.indexOptions().equals("docs");
  }

  /** Whether the field takes points, which are lists themselves. */
  public boolean isPoint() {
    return type == FieldType.GEO_POINT;
  }

  private boolean added(DocumentFields into) {
    if (named) {
      into.add(new StringField(MappedFields.FIELD_NAMES, path, Field.Store.NO));
    }
    return true;
  }

  /** Adds a text of ASCII characters; the bytes must not change afterwards. */
  public boolean addText(byte[] bytes, int from, int length, DocumentFields into) {
    return switch (kind) {
      case TERM -> addTerm(bytes, from, length, into);
      case DATE -> addDate(bytes, from, length, into);
      default -> false;
    };
  }

  private boolean addTerm(byte[] bytes, int from, int length, DocumentFields into) {
    if (length > ignoreAbove
        || length > IndexWriter.MAX_TERM_LENGTH
        || !(indexed || docValues || stored)) {
      return false;
    }
    BytesRef term = new BytesRef(bytes, from, length);
    if (indexed && docValues) {
      into.add(new KeywordField(path, term, Field.Store.NO));
    } else if (indexed) {
      into.add(new StringField(path, term, Field.Store.NO));
    } else if (docValues) {
      into.add(new SortedSetDocValuesField(path, term));
    }
    if (stored) {
      into.add(new StoredField(path, term.utf8ToString()));
    }
    return added(into);
  }

  private boolean addDate(byte[] bytes, int from, int length, DocumentFields into) {
    DateFormat format = dates;
    long millis = format == null ? DateFormat.NOT_PLAIN : format.parsePlain(bytes, from, length);
    if (millis == DateFormat.NOT_PLAIN) {
      return false;
    }
    numbers.addLong(millis, into);
    return added(into);
  }

  /** Adds a whole number. */
  public boolean addWhole(long value, DocumentFields into) {
    return switch (kind) {
      case WHOLE -> addInteger(value, into);
      case DECIMAL -> addDecimal((double) value, into);
      default -> false;
    };
  }

  private boolean addInteger(long value, DocumentFields into) {
    long limit =
        switch (type) {
          case INTEGER -> Integer.MAX_VALUE;
          case SHORT -> Short.MAX_VALUE;
          case BYTE -> Byte.MAX_VALUE;
          default -> Long.MAX_VALUE;
        };
    if (value > limit || value < -limit - 1) {
      return false;
    }
    if (type == FieldType.LONG) {
      numbers.addLong(value, into);
    } else {
      numbers.addInt((int) value, into);
    }
    return added(into);
  }

  /** Adds a number. */
  public boolean addDecimal(double value, DocumentFields into) {
    if (kind != Kind.DECIMAL || !Double.isFinite(value)) {
      return false;
    }
    switch (type) {
      case SCALED_FLOAT -> numbers.addLong(Math.round(value * scalingFactor), into);
      case DOUBLE -> numbers.addDouble(value, into);
      default -> {
        if (!Float.isFinite((float) value)) {
          return false;
        }
        numbers.addFloat((float) value, into);
      }
    }
    return added(into);
  }

  /** Adds a point. */
  public boolean addPoint(double lat, double lon, DocumentFields into) {
    if (kind != Kind.POINT || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
      return false;
    }
    if (indexed) {
      into.add(new LatLonPoint(path, lat, lon));
    }
    if (docValues) {
      into.add(new LatLonDocValuesField(path, lat, lon));
    }
    if (stored) {
      into.add(new StoredField(path, lat + ", " + lon));
    }
    return added(into);
  }
}
