package io.varve.search.mapping;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a field's mapping. A value equal to the default is neither stored nor written, so
 * that equivalent mappings are equal.
 */
public enum Parameter {
  INDEX(true, false),
  STORE(false, false),
  DOC_VALUES(true, false),
  /** Norms can be disabled later, but not enabled again. */
  NORMS(true, true),
  /** The {@code index_options} of a field: docs, freqs, positions or offsets. */
  INDEX_OPTIONS("positions", false),
  SIMILARITY("BM25", false),
  TERM_VECTOR("no", false),
  ANALYZER("default", false),
  SEARCH_ANALYZER(null, true),
  SEARCH_QUOTE_ANALYZER(null, true),
  NORMALIZER(null, false),
  POSITION_INCREMENT_GAP(100, false),
  FIELDDATA(false, true),
  FIELDDATA_FREQUENCY_FILTER(null, true),
  EAGER_GLOBAL_ORDINALS(false, true),
  /** {@code min_chars} and {@code max_chars} of indexed prefixes. */
  INDEX_PREFIXES(null, false),
  /** Whether pairs of adjacent words are also indexed. */
  INDEX_PHRASES(false, false),
  SPLIT_QUERIES_ON_WHITESPACE(false, true),
  ENABLE_POSITION_INCREMENTS(true, true),
  IGNORE_ABOVE(Integer.MAX_VALUE, true),
  VALUE(null, false),
  SCALING_FACTOR(null, true),
  FORMAT("strict_date_optional_time||epoch_millis", false),
  LOCALE(Locale.ROOT.toString(), false),
  /**
   * Whether text is converted to numbers and decimals are truncated. The default is an index
   * setting.
   */
  COERCE(null, true),
  /**
   * Whether a malformed value is skipped and its field's name recorded. The default is an index
   * setting.
   */
  IGNORE_MALFORMED(null, true),
  IGNORE_Z_VALUE(true, true),
  ORIENTATION("right", true),
  NULL_VALUE(null, true),
  COPY_TO(List.of(), true),
  META(Map.of(), true);

  // A boxed number, a boolean, a string or an empty collection.
  @SuppressWarnings("ImmutableEnumChecker")
  private final @Nullable Object defaultValue;

  private final boolean updatable;

  Parameter(@Nullable Object defaultValue, boolean updatable) {
    this.defaultValue = defaultValue;
    this.updatable = updatable;
  }

  public String json() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Nullable Object defaultValue() {
    return defaultValue;
  }

  boolean allowsChange(FieldType type, @Nullable Object from, @Nullable Object to) {
    return switch (this) {
      case NORMS -> Boolean.FALSE.equals(to) || Boolean.TRUE.equals(from);
      case NULL_VALUE -> type == FieldType.GEO_POINT;
      default -> updatable;
    };
  }

  /** Whether JSON values of any type are converted to a boolean. */
  boolean isFlag() {
    return switch (this) {
      case INDEX,
          STORE,
          DOC_VALUES,
          NORMS,
          FIELDDATA,
          EAGER_GLOBAL_ORDINALS,
          INDEX_PHRASES,
          SPLIT_QUERIES_ON_WHITESPACE,
          ENABLE_POSITION_INCREMENTS,
          COERCE,
          IGNORE_MALFORMED,
          IGNORE_Z_VALUE ->
          true;
      default -> false;
    };
  }
}
