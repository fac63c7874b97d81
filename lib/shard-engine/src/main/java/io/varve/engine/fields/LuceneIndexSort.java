package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.IndexSort;
import io.varve.search.mapping.Mapping;
import java.util.List;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.jspecify.annotations.Nullable;

/** Converts an index sort to Lucene's, with the numeric types used for sorting searches. */
public final class LuceneIndexSort {

  private LuceneIndexSort() {}

  /** {@code null} if the index is not sorted. */
  public static @Nullable Sort of(IndexSort sort, Mapping mapping) {
    List<SortField> fields =
        sort.keys().stream().map(key -> field(key, mapping.leaf(key.field()))).toList();
    return fields.isEmpty() ? null : new Sort(fields.toArray(SortField[]::new));
  }

  private static SortField field(IndexSort.Key key, @Nullable LeafField field) {
    if (field == null) {
      throw new IllegalStateException("index sort by [" + key.field() + "], which is not mapped");
    }
    return switch (field.type()) {
      case KEYWORD -> keyword(key);
      case INTEGER, SHORT, BYTE -> number(key, SortField.Type.INT);
      case DOUBLE -> number(key, SortField.Type.DOUBLE);
      case FLOAT -> number(key, SortField.Type.FLOAT);
      default -> number(key, SortField.Type.LONG);
    };
  }

  private static SortField keyword(IndexSort.Key key) {
    SortedSetSortField field =
        new SortedSetSortField(
            key.field(),
            key.descending(),
            key.greatest() ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN);
    // Lucene applies the order to missing values as well.
    boolean first = key.missingFirst() != key.descending();
    field.setMissingValue(first ? SortField.STRING_FIRST : SortField.STRING_LAST);
    return field;
  }

  private static SortField number(IndexSort.Key key, SortField.Type type) {
    SortedNumericSortField field =
        new SortedNumericSortField(
            key.field(),
            type,
            key.descending(),
            key.greatest() ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN);
    boolean greatest = key.missingFirst() == key.descending();
    field.setMissingValue(
        switch (type) {
          case INT -> greatest ? Integer.MAX_VALUE : Integer.MIN_VALUE;
          case DOUBLE -> greatest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
          case FLOAT -> greatest ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
          default -> greatest ? Long.MAX_VALUE : Long.MIN_VALUE;
        });
    return field;
  }
}
