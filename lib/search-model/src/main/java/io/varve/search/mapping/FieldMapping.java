package io.varve.search.mapping;

import io.varve.analysis.IndexAnalysis;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A field of a mapping: a field with values, an object or an alias. */
public sealed interface FieldMapping {

  /** The full name, with dots between the levels; empty for the root. */
  String path();

  /**
   * The JSON of the field in a mapping.
   *
   * @param withDefaults whether to include parameters that have their default
   */
  default Map<String, Object> definition(boolean withDefaults) {
    return withDefaults && this instanceof LeafField leaf
        ? MappingWriter.withDefaults(leaf)
        : MappingWriter.toMap(this);
  }

  /**
   * An object.
   *
   * @param declaredDynamic the value in the mapping, or null when it is inherited
   * @param dynamic the value in effect
   * @param enabled false if its content is neither parsed nor indexed
   * @param nesting present if its objects are indexed as separate documents
   */
  record ObjectField(
      String path,
      @Nullable Dynamic declaredDynamic,
      Dynamic dynamic,
      boolean enabled,
      @Nullable Nesting nesting,
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

    public boolean isNested() {
      return nesting != null;
    }
  }

  /** Whether the fields of nested objects are also indexed in the enclosing documents. */
  record Nesting(boolean includeInParent, boolean includeInRoot) {}

  /** An alias of a field. */
  record AliasField(String path, String target) implements FieldMapping {}

  /**
   * A field with values.
   *
   * @param parameters those that differ from their defaults
   * @param fields multi-fields, by name
   * @param rules of its index
   */
  record LeafField(
      String path,
      FieldType type,
      Map<Parameter, Object> parameters,
      SortedMap<String, LeafField> fields,
      MappingRules rules)
      implements FieldMapping {

    public LeafField {
      Map<Parameter, Object> copy = new EnumMap<>(Parameter.class);
      parameters.forEach((parameter, value) -> {
        if (!value.equals(type.defaultOf(parameter))) {
          copy.put(parameter, value);
        }
      });
      parameters = Collections.unmodifiableMap(copy);
      fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /** Creates a field from its type alone. */
    public static LeafField assumed(String path, FieldType type) {
      return new LeafField(path, type, Map.of(), new TreeMap<>(), MappingRules.DEFAULT);
    }

    public boolean indexed() {
      return switch (type) {
        case BINARY -> false;
        case WILDCARD, CONSTANT_KEYWORD, FLAT_OBJECT, MATCH_ONLY_TEXT -> true;
        default -> flag(Parameter.INDEX);
      };
    }

    /** False for text. */
    public boolean docValues() {
      return switch (type) {
        case TEXT, MATCH_ONLY_TEXT, CONSTANT_KEYWORD -> false;
        case FLAT_OBJECT -> true;
        default -> flag(Parameter.DOC_VALUES);
      };
    }

    public boolean stored() {
      return flag(Parameter.STORE);
    }

    /** Whether norms are indexed; only text and keywords may have them. */
    public boolean norms() {
      return (type == FieldType.TEXT || type == FieldType.KEYWORD) && flag(Parameter.NORMS);
    }

    /** {@code docs}, {@code freqs}, {@code positions} or {@code offsets}. */
    public String indexOptions() {
      return String.valueOf(value(Parameter.INDEX_OPTIONS));
    }

    public boolean hasPositions() {
      return type == FieldType.TEXT
          && (indexOptions().equals("positions") || indexOptions().equals("offsets"));
    }

    /** {@code BM25} or {@code boolean}. */
    public String similarity() {
      return String.valueOf(value(Parameter.SIMILARITY));
    }

    public String termVector() {
      return String.valueOf(value(Parameter.TERM_VECTOR));
    }

    /** Whether sorting and aggregations on the terms of this text are allowed. */
    public boolean fielddata() {
      return type.isText() && flag(Parameter.FIELDDATA);
    }

    /** Whether global ordinals are built at refresh, before a search needs them. */
    public boolean eagerGlobalOrdinals() {
      return flag(Parameter.EAGER_GLOBAL_ORDINALS) && (docValues() || fielddata());
    }

    /** The terms that are loaded as fielddata. */
    public FrequencyFilter frequencyFilter() {
      Object own = value(Parameter.FIELDDATA_FREQUENCY_FILTER);
      return own == null ? FrequencyFilter.ALL : FrequencyFilter.parse(own);
    }

    public String analyzer() {
      return String.valueOf(value(Parameter.ANALYZER));
    }

    public String searchAnalyzer() {
      Object own = value(Parameter.SEARCH_ANALYZER);
      if (own != null) {
        return own.toString();
      }
      boolean index = parameters.containsKey(Parameter.ANALYZER);
      return !index && analysis().defines(IndexAnalysis.DEFAULT_SEARCH)
          ? IndexAnalysis.DEFAULT_SEARCH
          : analyzer();
    }

    /** The analyzer of quoted phrases. */
    public String searchQuoteAnalyzer() {
      Object own = value(Parameter.SEARCH_QUOTE_ANALYZER);
      return own == null ? searchAnalyzer() : own.toString();
    }

    /** The analyzers of the field's index. */
    public IndexAnalysis analysis() {
      return rules.analysis();
    }

    /** The name of the field's normalizer, or null. */
    public @Nullable String normalizer() {
      return (String) value(Parameter.NORMALIZER);
    }

    public int positionIncrementGap() {
      return parameters.get(Parameter.POSITION_INCREMENT_GAP) instanceof Integer gap
          ? gap
          : analysis().positionIncrementGap(analyzer());
    }

    /** The shortest and the longest prefix that is indexed, or null for none. */
    public int @Nullable [] indexPrefixes() {
      return value(Parameter.INDEX_PREFIXES) instanceof Map<?, ?> map
          ? new int[] {(Integer) map.get("min_chars"), (Integer) map.get("max_chars")}
          : null;
    }

    public boolean indexPhrases() {
      return flag(Parameter.INDEX_PHRASES);
    }

    public boolean splitQueriesOnWhitespace() {
      return flag(Parameter.SPLIT_QUERIES_ON_WHITESPACE);
    }

    public boolean countsPositions() {
      return flag(Parameter.ENABLE_POSITION_INCREMENTS);
    }

    /** Keywords with more characters than this are not indexed. */
    public int ignoreAbove() {
      return value(Parameter.IGNORE_ABOVE) instanceof Integer limit ? limit : Integer.MAX_VALUE;
    }

    /** The value indexed for an explicit null, as written in the mapping. */
    public @Nullable Object nullValue() {
      return value(Parameter.NULL_VALUE);
    }

    /** The value of a constant keyword. */
    public String constant() {
      return String.valueOf(value(Parameter.VALUE));
    }

    public double scalingFactor() {
      return value(Parameter.SCALING_FACTOR) instanceof Double factor ? factor : 1;
    }

    public DateFormat dateFormat() {
      return DateFormat.of(
          String.valueOf(value(Parameter.FORMAT)), String.valueOf(value(Parameter.LOCALE)));
    }

    public boolean coerce() {
      return value(Parameter.COERCE) instanceof Boolean own ? own : rules.coerce();
    }

    public boolean ignoreMalformed() {
      return value(Parameter.IGNORE_MALFORMED) instanceof Boolean own
          ? own
          : type.parameters().contains(Parameter.IGNORE_MALFORMED) && rules.ignoreMalformed();
    }

    public boolean ignoreZValue() {
      return flag(Parameter.IGNORE_Z_VALUE);
    }

    /** The fields that also receive this field's values. */
    public List<String> copyTo() {
      return value(Parameter.COPY_TO) instanceof List<?> list
          ? list.stream().map(String::valueOf).toList()
          : List.of();
    }

    /** User-defined metadata of the field. */
    public Map<String, String> meta() {
      Map<String, String> meta = new TreeMap<>();
      if (value(Parameter.META) instanceof Map<?, ?> map) {
        map.forEach((key, value) -> meta.put(String.valueOf(key), String.valueOf(value)));
      }
      return meta;
    }

    public Locale locale() {
      return DateFormat.locale(String.valueOf(value(Parameter.LOCALE)));
    }

    @Nullable Object value(Parameter parameter) {
      Object own = parameters.get(parameter);
      return own == null ? type.defaultOf(parameter) : own;
    }

    private boolean flag(Parameter parameter) {
      return Boolean.TRUE.equals(value(parameter));
    }
  }
}
