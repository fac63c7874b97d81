package io.varve.engine.fields;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatField;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.util.NumericUtils;

/**
 * The Lucene fields of a number; booleans are 0 or 1 in addition to their term.
 *
 * <pre>
 *   indexed and doc values    one field that is both a point and a sortable value
 *   indexed                   a point
 *   doc values                a sortable value; the sortable bits of a float or double
 *   stored                    the number itself
 * </pre>
 *
 * The field's {@code coerce} determines which representations are accepted.
 */
final class NumberFields {

  private final LeafField field;
  private final boolean indexed;
  private final boolean docValues;
  private final boolean stored;

  NumberFields(LeafField field) {
    this.field = field;
    this.indexed = field.indexed();
    this.docValues = field.docValues();
    this.stored = field.stored();
  }

  /** The number as given, if the field does not coerce other representations. */
  Object coerced(Object value) {
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
    if ((field.type().isWhole() || field.type() == FieldType.UNSIGNED_LONG)
        && Values.hasDecimals(value)) {
      throw new ValueException(
          ErrorBody.illegalArgument("Value [" + value + "] has a decimal part"));
    }
    return value;
  }

  boolean addBoolean(boolean value, DocumentFields into) {
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

  boolean addLong(long value, DocumentFields into) {
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

  boolean addInt(int value, DocumentFields into) {
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

  boolean addDouble(double value, DocumentFields into) {
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

  boolean addFloat(float value, DocumentFields into) {
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
}
