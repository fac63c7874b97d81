package io.varve.search.mapping;

import io.varve.analysis.IndexAnalysis;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parses and checks the parameters of one field. */
final class ParameterReader {

  private static final List<String> INDEX_OPTIONS =
      List.of("positions", "docs", "freqs", "offsets");
  private static final List<String> KEYWORD_OPTIONS = List.of("docs", "freqs");
  private static final List<String> TERM_VECTORS =
      List.of(
          "no",
          "yes",
          "with_positions",
          "with_offsets",
          "with_positions_offsets",
          "with_positions_payloads",
          "with_positions_offsets_payloads");
  private static final int MOST_META = 5;
  private static final int LONGEST_META_KEY = 20;
  private static final int LONGEST_META_VALUE = 50;
  private static final int LONGEST_PREFIX = 20;

  private final IndexAnalysis analysis;
  private final String field;
  private final FieldType type;

  ParameterReader(IndexAnalysis analysis, String field, FieldType type) {
    this.analysis = analysis;
    this.field = field;
    this.type = type;
  }

  Object read(Parameter parameter, @Nullable Object value) {
    if (value == null) {
      throw MappingErrors.parsing(
          "["
              + parameter.json()
              + "] on mapper ["
              + field
              + "] of type ["
              + type.json()
              + "] must not have a [null] value");
    }
    if (parameter.isFlag()) {
      return flag(value);
    }
    return switch (parameter) {
      case IGNORE_ABOVE -> notNegative(parameter, value);
      case POSITION_INCREMENT_GAP -> gap(parameter, value);
      case SCALING_FACTOR -> factor(value);
      case ANALYZER, SEARCH_ANALYZER, SEARCH_QUOTE_ANALYZER -> analyzer(value.toString());
      case NORMALIZER -> normalizer(value.toString());
      case FORMAT -> format(value.toString());
      case LOCALE -> locale(value.toString());
      case INDEX_OPTIONS ->
          oneOf(parameter, value, type == FieldType.KEYWORD ? KEYWORD_OPTIONS : INDEX_OPTIONS);
      case TERM_VECTOR -> oneOf(parameter, value, TERM_VECTORS);
      case SIMILARITY -> similarity(value.toString());
      case COPY_TO -> copyTo(value);
      case META -> meta(value);
      case INDEX_PREFIXES -> prefixes(value);
      case FIELDDATA_FREQUENCY_FILTER -> FrequencyFilter.parse(value).toMap();
      case VALUE, ORIENTATION -> value.toString();
      default -> value;
    };
  }

  private static Boolean flag(Object value) {
    return switch (value.toString()) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default ->
          throw MappingErrors.illegal(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  private static Integer whole(Parameter parameter, Object value) {
    try {
      return Integer.valueOf(value.toString());
    } catch (NumberFormatException e) {
      throw MappingErrors.parsing(
          "Failed to parse [" + parameter.json() + "] with value [" + value + "]", e);
    }
  }

  private static Integer notNegative(Parameter parameter, Object value) {
    Integer whole = whole(parameter, value);
    if (whole < 0) {
      throw MappingErrors.illegal("[ignore_above] must be positive, got [" + whole + "]");
    }
    return whole;
  }

  private static Integer gap(Parameter parameter, Object value) {
    Integer whole = whole(parameter, value);
    if (whole < 0) {
      throw MappingErrors.parsing("[position_increment_gap] must be positive, got [" + whole + "]");
    }
    return whole;
  }

  private Double factor(Object value) {
    double factor;
    try {
      factor = Double.parseDouble(value.toString());
    } catch (NumberFormatException e) {
      throw MappingErrors.parsing(
          "Failed to parse [scaling_factor] of [" + field + "] with value [" + value + "]", e);
    }
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw MappingErrors.illegal(
          "[scaling_factor] must be a positive number, got [" + factor + "]");
    }
    return factor;
  }

  private String analyzer(String name) {
    if (analysis.analyzer(name) == null) {
      throw MappingErrors.parsing("analyzer [" + name + "] has not been configured in mappings");
    }
    return name;
  }

  private String normalizer(String name) {
    if (analysis.normalizer(name) == null) {
      throw MappingErrors.parsing("normalizer [" + name + "] not found for field [" + field + "]");
    }
    return name;
  }

  private String format(String format) {
    try {
      var _ = DateFormat.of(format);
      return format;
    } catch (IllegalArgumentException e) {
      throw MappingErrors.parsing(
          "Error parsing [format] on field [" + field + "]: " + e.getMessage(), e);
    }
  }

  private static String locale(String name) {
    try {
      return DateFormat.locale(name).toString();
    } catch (IllegalArgumentException e) {
      throw MappingErrors.parsing("Invalid locale [" + name + "]: " + e.getMessage(), e);
    }
  }

  private static String oneOf(Parameter parameter, Object value, List<String> accepted) {
    if (!accepted.contains(value.toString())) {
      throw MappingErrors.parsing(
          "Unknown value ["
              + value
              + "] for field ["
              + parameter.json()
              + "] - accepted values are "
              + accepted);
    }
    return value.toString();
  }

  private String similarity(String name) {
    if (!name.equals("BM25") && !name.equals("boolean")) {
      throw MappingErrors.parsing(
          "Unknown Similarity type [" + name + "] for field [" + field + "]");
    }
    return name;
  }

  private static List<String> copyTo(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : Arrays.stream(value.toString().split(",", -1)).map(String::strip).toList();
  }

  private Map<String, Object> meta(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw refusedMeta(
          "must be an object, got " + value.getClass().getSimpleName() + "[" + value + "]");
    }
    if (map.size() > MOST_META) {
      throw MappingErrors.parsing(
          "[meta] can't have more than "
              + MOST_META
              + " entries, but got "
              + map.size()
              + " on field ["
              + field
              + "]");
    }
    Map<String, Object> meta = new TreeMap<>();
    map.forEach((key, text) -> meta.put(metaKey(String.valueOf(key)), metaValue(text)));
    return meta;
  }

  private String metaKey(String key) {
    if (key.codePointCount(0, key.length()) > LONGEST_META_KEY) {
      throw refusedMeta(
          "keys can't be longer than " + LONGEST_META_KEY + " chars, but got [" + key + "]");
    }
    return key;
  }

  private String metaValue(@Nullable Object value) {
    if (value == null) {
      throw MappingErrors.parsing("[meta] values can't be null (field [" + field + "])");
    }
    if (!(value instanceof String text)) {
      throw refusedMeta(
          "values can only be strings, but got "
              + value.getClass().getSimpleName()
              + "["
              + value
              + "]");
    }
    if (text.codePointCount(0, text.length()) > LONGEST_META_VALUE) {
      throw refusedMeta(
          "values can't be longer than " + LONGEST_META_VALUE + " chars, but got [" + text + "]");
    }
    return text;
  }

  private RuntimeException refusedMeta(String what) {
    return MappingErrors.parsing("[meta] " + what + " for field [" + field + "]");
  }

  private Map<String, Object> prefixes(Object value) {
    Map<String, Object> given = new LinkedHashMap<>(MappingParser.map("index_prefixes", value));
    Object least = given.remove("min_chars");
    Object most = given.remove("max_chars");
    if (!given.isEmpty()) {
      throw MappingErrors.parsing(
          "Mapping definition for [index_prefixes] has unsupported parameters:  " + given);
    }
    int min = least == null ? 2 : whole(Parameter.INDEX_PREFIXES, least);
    int max = most == null ? 5 : whole(Parameter.INDEX_PREFIXES, most);
    if (min > max) {
      throw MappingErrors.illegal(
          "min_chars [" + min + "] must be less than max_chars [" + max + "]");
    }
    if (min < 1) {
      throw MappingErrors.illegal("min_chars [" + min + "] must be greater than zero");
    }
    if (max >= LONGEST_PREFIX) {
      throw MappingErrors.illegal("max_chars [" + max + "] must be less than " + LONGEST_PREFIX);
    }
    Map<String, Object> prefixes = new LinkedHashMap<>();
    prefixes.put("min_chars", min);
    prefixes.put("max_chars", max);
    return prefixes;
  }
}
