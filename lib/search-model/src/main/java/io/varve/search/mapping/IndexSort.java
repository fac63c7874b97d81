package io.varve.search.mapping;

import io.varve.rpc.ApiException;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The sort order of documents within each segment, from the index settings. */
public record IndexSort(List<Key> keys) {

  /**
   * One sort key.
   *
   * @param greatest whether a document with several values is sorted by its greatest
   * @param missingFirst whether documents without a value come first
   */
  public record Key(String field, boolean descending, boolean greatest, boolean missingFirst) {}

  private static final String PREFIX = "index.sort.";

  public IndexSort {
    keys = List.copyOf(keys);
  }

  /**
   * @param settings flat, under their full names; no keys when there are none
   */
  public static IndexSort of(Map<String, String> settings) {
    List<String> fields = list(settings, "field");
    List<String> orders = list(settings, "order");
    List<String> modes = list(settings, "mode");
    List<String> missing = list(settings, "missing");
    checkSizes(fields, orders, "order");
    checkSizes(fields, modes, "mode");
    checkSizes(fields, missing, "missing");
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      boolean descending = !orders.isEmpty() && isSecond("order", orders.get(i), "asc", "desc");
      boolean greatest =
          modes.isEmpty() ? descending : isSecond("mode", modes.get(i), "min", "max");
      boolean first = !missing.isEmpty() && isSecond("missing", missing.get(i), "_last", "_first");
      keys.add(new Key(fields.get(i), descending, greatest, first));
    }
    return new IndexSort(keys);
  }

  private static List<String> list(Map<String, String> settings, String name) {
    String value = settings.get(PREFIX + name);
    return value == null || value.isEmpty()
        ? List.of()
        : Arrays.stream(value.split(",", -1)).map(String::strip).toList();
  }

  private static void checkSizes(List<String> fields, List<String> values, String name) {
    if (fields.isEmpty() && !values.isEmpty()) {
      throw MappingErrors.illegal("setting [" + PREFIX + name + "] requires [" + PREFIX + "field]");
    }
    if (!values.isEmpty() && fields.size() != values.size()) {
      throw MappingErrors.illegal(
          PREFIX + "field:" + fields + " " + PREFIX + name + ":" + values + ", size mismatch");
    }
  }

  private static boolean isSecond(String name, String value, String first, String second) {
    if (!value.equals(first) && !value.equals(second)) {
      throw MappingErrors.illegal(
          "Illegal "
              + (name.equals("missing") ? "missing value:[" : "sort " + name + ":[")
              + value
              + "], must be one of ["
              + first
              + ", "
              + second
              + "]");
    }
    return value.equals(second);
  }

  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Throws an {@link ApiException} if a field can't be sorted by. */
  public void check(Mapping mapping) {
    if (isEmpty()) {
      return;
    }
    if (!mapping.nested().isEmpty()) {
      throw MappingErrors.illegal("cannot have nested fields when index sort is activated");
    }
    for (Key key : keys) {
      if (mapping.aliases().containsKey(key.field)) {
        throw MappingErrors.illegal("Cannot use alias [" + key.field + "] as an index sort field");
      }
      LeafField field = mapping.leaf(key.field);
      if (field == null) {
        throw MappingErrors.illegal("unknown index sort field:[" + key.field + "]");
      }
      if (!field.docValues()) {
        throw MappingErrors.illegal("docvalues not found for index sort field:[" + key.field + "]");
      }
      switch (field.type()) {
        case LONG,
            INTEGER,
            SHORT,
            BYTE,
            DOUBLE,
            FLOAT,
            DATE,
            DATE_NANOS,
            BOOLEAN,
            KEYWORD,
            UNSIGNED_LONG -> {}
        default -> throw MappingErrors.illegal("invalid index sort field:[" + key.field + "]");
      }
    }
  }
}
