package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Values;
import java.io.IOException;
import java.util.function.LongToDoubleFunction;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.NumericUtils;

/** Converts the longs of doc values to numbers, by field type. */
final class NumberReading {

  private NumberReading() {}

  static LongToDoubleFunction of(LeafField field) {
    return switch (field.type()) {
      case DOUBLE -> NumericUtils::sortableLongToDouble;
      case FLOAT, HALF_FLOAT -> bits -> NumericUtils.sortableIntToFloat((int) bits);
      case SCALED_FLOAT -> {
        double factor = field.scalingFactor();
        yield scaled -> scaled / factor;
      }
      case UNSIGNED_LONG -> bits -> Values.ofSortable(bits).doubleValue();
      default -> whole -> (double) whole;
    };
  }

  /** The numeric doc values of the field. */
  static SortedNumericDocValues values(LeafReader reader, LeafField field) throws IOException {
    return DocValues.getSortedNumeric(reader, field.path());
  }

  static boolean isNumeric(LeafField field) {
    return switch (field.type()) {
      case LONG,
          INTEGER,
          SHORT,
          BYTE,
          TOKEN_COUNT,
          UNSIGNED_LONG,
          DOUBLE,
          FLOAT,
          HALF_FLOAT,
          SCALED_FLOAT,
          BOOLEAN,
          DATE,
          DATE_NANOS ->
          field.docValues();
      default -> false;
    };
  }
}
