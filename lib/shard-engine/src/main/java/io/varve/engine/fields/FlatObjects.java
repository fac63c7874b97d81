package io.varve.engine.fields;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.ValueException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Creates the Lucene fields of flat objects, whose fields are not mapped individually. Each value
 * is indexed as a term in the object's own field, and in the undeclared field {@code
 * <object>.<key>} with doc values.
 */
final class FlatObjects {

  private FlatObjects() {}

  static boolean add(LeafField field, Object value, DocumentFields into) {
    if (!(value instanceof Map<?, ?>) && !(value instanceof List<?>)) {
      throw new ValueException(
          ErrorBody.of(
              400,
              "parsing_exception",
              "[" + field.path() + "] unexpected token [VALUE] in [flat_object] field value"));
    }
    return walk(field, "", value, into);
  }

  private static boolean walk(
      LeafField field, String path, @Nullable Object value, DocumentFields into) {
    return switch (value) {
      case null -> false;
      case Map<?, ?> map -> {
        boolean any = false;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          String below = path.isEmpty() ? entry.getKey().toString() : path + "." + entry.getKey();
          any |= walk(field, below, entry.getValue(), into);
        }
        yield any;
      }
      case List<?> list -> {
        boolean any = false;
        for (Object one : list) {
          any |= walk(field, path, one, into);
        }
        yield any;
      }
      default -> addValue(field, path, value.toString(), into);
    };
  }

  private static boolean addValue(LeafField field, String path, String value, DocumentFields into) {
    BytesRef term = new BytesRef(value);
    if (value.length() > field.ignoreAbove() || term.length > IndexWriter.MAX_TERM_LENGTH) {
      return false;
    }
    into.add(new KeywordField(field.path(), term, Field.Store.NO));
    into.add(new KeywordField(field.path() + "." + path, term, Field.Store.NO));
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      into.add(
          new StringField(
              MappedFields.FIELD_NAMES,
              field.path() + "." + path.substring(0, dot),
              Field.Store.NO));
    }
    return true;
  }
}
