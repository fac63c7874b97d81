package io.varve.engine.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The doc values of a document about to be indexed, in doc values order. */
final class DocumentValues {

  /**
   * Maximum number of values per field; with more, encoding a value's rank would take more space
   * than the value.
   */
  static final int MOST = 16;

  private final Map<String, List<IndexableField>> fields = new HashMap<>();

  DocumentValues(Iterable<? extends IndexableField> document) {
    for (IndexableField field : document) {
      if (field.fieldType().docValuesType() != DocValuesType.NONE) {
        fields.computeIfAbsent(field.name(), _ -> new ArrayList<>(1)).add(field);
      }
    }
  }

  /** In ascending order; empty if there are too many. */
  long[] numbers(String field) {
    List<IndexableField> values = values(field, DocValuesType.SORTED_NUMERIC);
    return values.stream().mapToLong(DocumentValues::number).sorted().toArray();
  }

  private static long number(IndexableField field) {
    Number number = field.numericValue();
    if (number == null) {
      throw new IllegalStateException("no number in doc values of [" + field.name() + "]");
    }
    return number.longValue();
  }

  /** In ascending order without duplicates; empty if there are too many. */
  List<BytesRef> terms(String field) {
    List<IndexableField> values = values(field, DocValuesType.SORTED_SET);
    if (values.isEmpty()) {
      values = values(field, DocValuesType.BINARY);
    }
    if (values.size() == 1) {
      return List.of(term(values.getFirst()));
    }
    return values.stream().map(DocumentValues::term).sorted().distinct().toList();
  }

  private static BytesRef term(IndexableField field) {
    BytesRef term = field.binaryValue();
    if (term == null) {
      throw new IllegalStateException("no term in doc values of [" + field.name() + "]");
    }
    return term;
  }

  private List<IndexableField> values(String field, DocValuesType type) {
    @Nullable List<IndexableField> values = fields.get(field);
    return values == null
            || values.size() > MOST
            || values.getFirst().fieldType().docValuesType() != type
        ? List.of()
        : values;
  }
}
