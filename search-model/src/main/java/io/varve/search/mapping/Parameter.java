package io.varve.search.mapping;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a field's mapping. A value equal to the default is the same as none: it is neither
 * kept nor written, so mappings that mean the same are equal.
 */
public enum Parameter {
  INDEX(true, false),
  STORE(false, false),
  DOC_VALUES(true, false),
  /** May be switched off later, never on again. */
  NORMS(true, true),
  ANALYZER("default", false),
  SEARCH_ANALYZER(null, true),
  NORMALIZER(null, false),
  IGNORE_ABOVE(Integer.MAX_VALUE, true),
  NULL_VALUE(null, false),
  SCALING_FACTOR(null, false),
  FORMAT("strict_date_optional_time||epoch_millis", false);

  private static final Set<String> ANALYZERS =
      Set.of("default", "standard", "simple", "whitespace", "stop", "keyword", "english");

  // A boxed number, a flag or a text.
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

  public @Nullable Object defaultValue() {
    return defaultValue;
  }

  boolean allowsChange(@Nullable Object from, @Nullable Object to) {
    return updatable && (this != NORMS || Boolean.FALSE.equals(to) || Boolean.TRUE.equals(from));
  }

  /** The value in its own type, or a refusal in the dialect's words. */
  Object read(String path, FieldType type, @Nullable Object value) {
    if (value == null) {
      throw MappingErrors.parsing(
          "["
              + json()
              + "] on mapper ["
              + path
              + "] of type ["
              + type.json()
              + "] must not have a [null] value");
    }
    return switch (this) {
      case INDEX, STORE, DOC_VALUES, NORMS -> readBoolean(value);
      case IGNORE_ABOVE -> readWhole(value);
      case SCALING_FACTOR -> readFactor(path, value);
      case ANALYZER, SEARCH_ANALYZER -> readAnalyzer(value.toString());
      case NORMALIZER -> readNormalizer(path, value.toString());
      case FORMAT -> readFormat(path, value.toString());
      case NULL_VALUE -> type.readNullValue(path, value);
    };
  }

  private static Boolean readBoolean(Object value) {
    return switch (value.toString()) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default ->
          throw MappingErrors.illegal(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  private Integer readWhole(Object value) {
    try {
      return Integer.valueOf(value.toString());
    } catch (NumberFormatException e) {
      throw MappingErrors.parsing("Failed to parse [" + json() + "] with value [" + value + "]", e);
    }
  }

  private static Double readFactor(String path, Object value) {
    double factor;
    try {
      factor = Double.parseDouble(value.toString());
    } catch (NumberFormatException e) {
      throw MappingErrors.parsing(
          "Failed to parse [scaling_factor] of [" + path + "] with value [" + value + "]", e);
    }
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw MappingErrors.illegal(
          "[scaling_factor] must be a positive number, got [" + factor + "]");
    }
    return factor;
  }

  private static String readAnalyzer(String name) {
    if (!ANALYZERS.contains(name)) {
      throw MappingErrors.illegal("analyzer [" + name + "] has not been configured in mappings");
    }
    return name;
  }

  private static String readNormalizer(String path, String name) {
    if (!name.equals("lowercase")) {
      throw MappingErrors.parsing("normalizer [" + name + "] not found for field [" + path + "]");
    }
    return name;
  }

  private static String readFormat(String path, String format) {
    try {
      var _ = DateFormat.of(format);
      return format;
    } catch (IllegalArgumentException e) {
      throw MappingErrors.parsing(
          "Error parsing [format] on field [" + path + "]: " + e.getMessage(), e);
    }
  }
}
