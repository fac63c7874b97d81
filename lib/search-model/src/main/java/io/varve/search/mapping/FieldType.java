package io.varve.search.mapping;

import static io.varve.search.mapping.Parameter.ANALYZER;
import static io.varve.search.mapping.Parameter.COERCE;
import static io.varve.search.mapping.Parameter.COPY_TO;
import static io.varve.search.mapping.Parameter.DOC_VALUES;
import static io.varve.search.mapping.Parameter.EAGER_GLOBAL_ORDINALS;
import static io.varve.search.mapping.Parameter.ENABLE_POSITION_INCREMENTS;
import static io.varve.search.mapping.Parameter.FIELDDATA;
import static io.varve.search.mapping.Parameter.FIELDDATA_FREQUENCY_FILTER;
import static io.varve.search.mapping.Parameter.FORMAT;
import static io.varve.search.mapping.Parameter.IGNORE_ABOVE;
import static io.varve.search.mapping.Parameter.IGNORE_MALFORMED;
import static io.varve.search.mapping.Parameter.IGNORE_Z_VALUE;
import static io.varve.search.mapping.Parameter.INDEX;
import static io.varve.search.mapping.Parameter.INDEX_OPTIONS;
import static io.varve.search.mapping.Parameter.INDEX_PHRASES;
import static io.varve.search.mapping.Parameter.INDEX_PREFIXES;
import static io.varve.search.mapping.Parameter.LOCALE;
import static io.varve.search.mapping.Parameter.META;
import static io.varve.search.mapping.Parameter.NORMALIZER;
import static io.varve.search.mapping.Parameter.NORMS;
import static io.varve.search.mapping.Parameter.NULL_VALUE;
import static io.varve.search.mapping.Parameter.ORIENTATION;
import static io.varve.search.mapping.Parameter.POSITION_INCREMENT_GAP;
import static io.varve.search.mapping.Parameter.SCALING_FACTOR;
import static io.varve.search.mapping.Parameter.SEARCH_ANALYZER;
import static io.varve.search.mapping.Parameter.SEARCH_QUOTE_ANALYZER;
import static io.varve.search.mapping.Parameter.SIMILARITY;
import static io.varve.search.mapping.Parameter.SPLIT_QUERIES_ON_WHITESPACE;
import static io.varve.search.mapping.Parameter.STORE;
import static io.varve.search.mapping.Parameter.TERM_VECTOR;
import static io.varve.search.mapping.Parameter.VALUE;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types of fields with values, each with the parameters that it accepts. */
public enum FieldType {
  TEXT(
      params(
          ANALYZER,
          SEARCH_ANALYZER,
          SEARCH_QUOTE_ANALYZER,
          INDEX,
          STORE,
          NORMS,
          INDEX_OPTIONS,
          SIMILARITY,
          TERM_VECTOR,
          POSITION_INCREMENT_GAP,
          FIELDDATA,
          FIELDDATA_FREQUENCY_FILTER,
          EAGER_GLOBAL_ORDINALS,
          INDEX_PREFIXES,
          INDEX_PHRASES,
          COPY_TO,
          META)),
  /** Text without term frequencies and positions: it can be searched, but not scored by them. */
  MATCH_ONLY_TEXT(
      params(
          ANALYZER,
          SEARCH_ANALYZER,
          SEARCH_QUOTE_ANALYZER,
          STORE,
          FIELDDATA,
          FIELDDATA_FREQUENCY_FILTER,
          EAGER_GLOBAL_ORDINALS,
          COPY_TO,
          META)),
  KEYWORD(
      params(
              INDEX,
              STORE,
              DOC_VALUES,
              NORMS,
              INDEX_OPTIONS,
              SIMILARITY,
              IGNORE_ABOVE,
              NULL_VALUE,
              NORMALIZER,
              SPLIT_QUERIES_ON_WHITESPACE,
              EAGER_GLOBAL_ORDINALS,
              COPY_TO,
              META)
          .with(NORMS, false)
          .with(INDEX_OPTIONS, "docs")),
  /** One value for the whole index, stored in the mapping. */
  CONSTANT_KEYWORD(params(VALUE, META)),
  WILDCARD(
      params(DOC_VALUES, IGNORE_ABOVE, NULL_VALUE, NORMALIZER, COPY_TO, META)
          .with(DOC_VALUES, false)),
  /** An object whose leaves are all indexed as keywords. */
  FLAT_OBJECT(params(IGNORE_ABOVE, META)),
  LONG(params().number()),
  INTEGER(params().number()),
  SHORT(params().number()),
  BYTE(params().number()),
  DOUBLE(params().number()),
  FLOAT(params().number()),
  HALF_FLOAT(params().number()),
  /** Integers from 0 to 2^64 - 1. */
  UNSIGNED_LONG(params().number()),
  SCALED_FLOAT(params(SCALING_FACTOR).number()),
  /** The number of a text's tokens. */
  TOKEN_COUNT(
      params(
          ANALYZER,
          ENABLE_POSITION_INCREMENTS,
          INDEX,
          STORE,
          DOC_VALUES,
          NULL_VALUE,
          COPY_TO,
          META)),
  BOOLEAN(params(INDEX, STORE, DOC_VALUES, NULL_VALUE, COPY_TO, META)),
  DATE(params().date()),
  /** Dates with nanoseconds, from 1970 to 2262. */
  DATE_NANOS(params().date().with(FORMAT, "strict_date_optional_time_nanos||epoch_millis")),
  IP(params(INDEX, STORE, DOC_VALUES, NULL_VALUE, IGNORE_MALFORMED, COPY_TO, META)),
  INTEGER_RANGE(params().range()),
  LONG_RANGE(params().range()),
  FLOAT_RANGE(params().range()),
  DOUBLE_RANGE(params().range()),
  DATE_RANGE(params(FORMAT, LOCALE).range()),
  IP_RANGE(params().range()),
  GEO_POINT(
      params(
          INDEX, STORE, DOC_VALUES, NULL_VALUE, IGNORE_MALFORMED, IGNORE_Z_VALUE, COPY_TO, META)),
  GEO_SHAPE(
      params(
              INDEX,
              DOC_VALUES,
              COERCE,
              ORIENTATION,
              IGNORE_MALFORMED,
              IGNORE_Z_VALUE,
              COPY_TO,
              META)
          .with(COERCE, false)),
  BINARY(params(STORE, DOC_VALUES, COPY_TO, META).with(DOC_VALUES, false));

  @SuppressWarnings("ImmutableEnumChecker") // made by List.copyOf
  private final List<Parameter> parameters;

  @SuppressWarnings("ImmutableEnumChecker") // wrapped so that it can't be changed
  private final Map<Parameter, Object> ownDefaults;

  FieldType(Parameters taken) {
    this.parameters = List.copyOf(taken.list);
    this.ownDefaults = Collections.unmodifiableMap(taken.defaults);
  }

  private static Parameters params(Parameter... parameters) {
    return new Parameters(new ArrayList<>(List.of(parameters)), new EnumMap<>(Parameter.class));
  }

  /** A builder of a type's parameters and their defaults. */
  private record Parameters(List<Parameter> list, Map<Parameter, Object> defaults) {
    Parameters and(Parameter... more) {
      list.addAll(List.of(more));
      return this;
    }

    Parameters with(Parameter parameter, Object defaultValue) {
      defaults.put(parameter, defaultValue);
      return this;
    }

    Parameters number() {
      return and(INDEX, STORE, DOC_VALUES, COERCE, IGNORE_MALFORMED, NULL_VALUE, COPY_TO, META);
    }

    Parameters date() {
      return and(
          FORMAT, LOCALE, INDEX, STORE, DOC_VALUES, IGNORE_MALFORMED, NULL_VALUE, COPY_TO, META);
    }

    Parameters range() {
      return and(INDEX, STORE, DOC_VALUES, COERCE, COPY_TO, META);
    }
  }

  public String json() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The parameters in the order in which a mapping shows them. */
  public List<Parameter> parameters() {
    return parameters;
  }

  /** The default of a parameter; null for none. */
  public @Nullable Object defaultOf(Parameter parameter) {
    Object own = ownDefaults.get(parameter);
    return own == null ? parameter.defaultValue() : own;
  }

  /** Integer types that fit into a long; dates are not among them. */
  public boolean isWhole() {
    return this == LONG || this == INTEGER || this == SHORT || this == BYTE || this == TOKEN_COUNT;
  }

  public boolean isNumber() {
    return isWhole()
        || this == UNSIGNED_LONG
        || this == DOUBLE
        || this == FLOAT
        || this == HALF_FLOAT
        || this == SCALED_FLOAT;
  }

  /** Types that an analyzer breaks into tokens. */
  public boolean isText() {
    return this == TEXT || this == MATCH_ONLY_TEXT;
  }

  /** Types that are searched by whole terms or parts of terms. */
  public boolean isKeyword() {
    return this == KEYWORD || this == WILDCARD || this == CONSTANT_KEYWORD || this == FLAT_OBJECT;
  }

  public boolean isDate() {
    return this == DATE || this == DATE_NANOS;
  }

  /** Types that hold ranges. */
  public boolean isRange() {
    return this == INTEGER_RANGE
        || this == LONG_RANGE
        || this == FLOAT_RANGE
        || this == DOUBLE_RANGE
        || this == DATE_RANGE
        || this == IP_RANGE;
  }

  /** The type's name in the field capabilities API; types with the same behaviour share one. */
  public String family() {
    return switch (this) {
      case CONSTANT_KEYWORD, WILDCARD -> KEYWORD.json();
      case MATCH_ONLY_TEXT -> TEXT.json();
      case TOKEN_COUNT -> INTEGER.json();
      default -> json();
    };
  }

  public static @Nullable FieldType named(String json) {
    for (FieldType type : values()) {
      if (type.json().equals(json)) {
        return type;
      }
    }
    return null;
  }
}
