package io.varve.search.mapping;

import io.varve.events.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Collects the fields that a document brings and its mapping lacks, each with the type that its
 * first value suggests: text is text with a keyword beside it (a date where dates are detected and
 * it reads as one), a whole number a long, a decimal a float.
 */
public final class MappingAdditions {

  private static final DateFormat DETECTED_DATES =
      DateFormat.of("strict_date_optional_time||yyyy/MM/dd HH:mm:ss||yyyy/MM/dd");
  private static final String STORED_FORMAT = "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis";
  private static final Pattern MAY_BE_DATE = Pattern.compile("\\d{4}[-/].*");
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,19}");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private final Mapping mapping;
  private final Map<String, Object> properties = new LinkedHashMap<>();

  public MappingAdditions(Mapping mapping) {
    this.mapping = mapping;
  }

  public boolean isEmpty() {
    return properties.isEmpty();
  }

  /**
   * Adds the field that this value needs; a second value of the same field changes nothing.
   *
   * @param path full name, dots between the levels
   * @param value String, Boolean or Number
   */
  public void addValue(String path, Object value) {
    add(path, definition(value));
  }

  /** Adds an object that has no field that could be added. */
  public void addObject(String path) {
    add(path, Map.of("type", "object"));
  }

  private void add(String path, Map<String, Object> definition) {
    Map<String, Object> at = properties;
    String[] names = path.split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      at = inner(at, names[i]);
    }
    at.putIfAbsent(names[names.length - 1], definition);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> inner(Map<String, Object> properties, String name) {
    Map<String, Object> object =
        new LinkedHashMap<>((Map<String, Object>) properties.getOrDefault(name, Map.of()));
    // A name that is a value here and an object there: the merge refuses it, as it must.
    Map<String, Object> inner =
        (Map<String, Object>) object.computeIfAbsent("properties", n -> new LinkedHashMap<>());
    object.remove("type", "object");
    properties.put(name, object);
    return inner;
  }

  private Map<String, Object> definition(Object value) {
    return switch (value) {
      case Boolean truth -> Map.of("type", "boolean");
      case Long whole -> Map.of("type", "long");
      case Integer whole -> Map.of("type", "long");
      case BigInteger whole -> Map.of("type", "long");
      case Double decimal -> Map.of("type", "float");
      case Float decimal -> Map.of("type", "float");
      case BigDecimal decimal -> Map.of("type", "float");
      default -> ofText(value.toString());
    };
  }

  private Map<String, Object> ofText(String text) {
    if (mapping.numericDetection() && WHOLE.matcher(text).matches()) {
      return Map.of("type", "long");
    }
    if (mapping.numericDetection() && DECIMAL.matcher(text).matches()) {
      return Map.of("type", "float");
    }
    if (mapping.dateDetection() && MAY_BE_DATE.matcher(text).matches() && isDate(text)) {
      return text.charAt(4) == '/'
          ? ordered("type", "date", "format", STORED_FORMAT)
          : Map.of("type", "date");
    }
    Map<String, Object> keyword = ordered("type", "keyword", "ignore_above", 256);
    return ordered("type", "text", "fields", Map.of("keyword", keyword));
  }

  private static boolean isDate(String text) {
    try {
      var _ = DETECTED_DATES.parse(text);
      return true;
    } catch (ValueException e) {
      return false;
    }
  }

  private static Map<String, Object> ordered(String k1, Object v1, String k2, Object v2) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(k1, v1);
    map.put(k2, v2);
    return map;
  }

  /** {@code {"properties":{…}}}, to be merged into the mapping. */
  public String toJson() {
    return new String(Json.write(Map.of("properties", properties)), StandardCharsets.UTF_8);
  }
}
