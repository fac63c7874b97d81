package io.varve.search.mapping;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One field of a mapping: values, or an object with fields of its own. */
public sealed interface FieldMapping {

  /** The full name, dots between the levels; empty for the root. */
  String path();

  /**
   * An object.
   *
   * @param declaredDynamic as written, {@code null} where it is inherited
   * @param dynamic in force
   * @param enabled {@code false}: nothing in it is looked at
   */
  record ObjectField(
      String path,
      @Nullable Dynamic declaredDynamic,
      Dynamic dynamic,
      boolean enabled,
      SortedMap<String, FieldMapping> properties)
      implements FieldMapping {

    public ObjectField {
      properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    public @Nullable FieldMapping child(String name) {
      return properties.get(name);
    }

    public String pathOf(String name) {
      return path.isEmpty() ? name : path + "." + name;
    }
  }

  /**
   * A field with values.
   *
   * @param parameters those that differ from their defaults
   * @param fields the same values under other types, by name
   */
  record LeafField(
      String path,
      FieldType type,
      Map<Parameter, Object> parameters,
      SortedMap<String, LeafField> fields)
      implements FieldMapping {

    public LeafField {
      Map<Parameter, Object> copy = new EnumMap<>(Parameter.class);
      parameters.forEach((parameter, value) -> {
        if (!value.equals(parameter.defaultValue())) {
          copy.put(parameter, value);
        }
      });
      parameters = Collections.unmodifiableMap(copy);
      fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    public boolean indexed() {
      return flag(Parameter.INDEX);
    }

    /** Text has none. */
    public boolean docValues() {
      return type != FieldType.TEXT && flag(Parameter.DOC_VALUES);
    }

    public boolean stored() {
      return flag(Parameter.STORE);
    }

    /** Of text alone. */
    public boolean norms() {
      return type == FieldType.TEXT && flag(Parameter.NORMS);
    }

    public String analyzer() {
      return String.valueOf(value(Parameter.ANALYZER));
    }

    public String searchAnalyzer() {
      Object own = value(Parameter.SEARCH_ANALYZER);
      return own == null ? analyzer() : own.toString();
    }

    /** {@code lowercase} or none. */
    public @Nullable String normalizer() {
      return (String) value(Parameter.NORMALIZER);
    }

    /** Longer keywords, counted in characters, are not indexed. */
    public int ignoreAbove() {
      return value(Parameter.IGNORE_ABOVE) instanceof Integer limit ? limit : Integer.MAX_VALUE;
    }

    /** What stands in the index for an explicit null, as written in the mapping. */
    public @Nullable Object nullValue() {
      return value(Parameter.NULL_VALUE);
    }

    public double scalingFactor() {
      return value(Parameter.SCALING_FACTOR) instanceof Double factor ? factor : 1;
    }

    public DateFormat dateFormat() {
      return DateFormat.of(String.valueOf(value(Parameter.FORMAT)));
    }

    @Nullable Object value(Parameter parameter) {
      Object own = parameters.get(parameter);
      return own == null ? parameter.defaultValue() : own;
    }

    private boolean flag(Parameter parameter) {
      return Boolean.TRUE.equals(value(parameter));
    }
  }
}
