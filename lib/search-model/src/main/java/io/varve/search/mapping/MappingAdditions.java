package io.varve.search.mapping;

import io.varve.events.Json;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects the new fields of a document. The first dynamic template that matches defines a field.
 * Without one, the type depends on the first value: a string becomes {@code text} with a {@code
 * keyword} multi-field (or a date, if date detection applies), an integer {@code long}, and a
 * floating-point number {@code float}.
 */
public final class MappingAdditions {

  private static final Pattern MAY_BE_DATE = Pattern.compile("\\d{4}[-/].*");
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,19}");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private static final Suggestion WHOLE_NUMBER =
      new Suggestion("long", "long", Map.of("type", "long"));
  private static final Suggestion DECIMAL_NUMBER =
      new Suggestion("double", "float", Map.of("type", "float"));

  private final Mapping mapping;
  private final Map<String, Object> properties = new LinkedHashMap<>();

  public MappingAdditions(Mapping mapping) {
    this.mapping = mapping;
  }

  public boolean isEmpty() {
    return properties.isEmpty();
  }

  /**
   * Adds the field of a value, unless an earlier value has added it.
   *
   * @param path full name, with dots between the levels
   * @param value String, Boolean or Number
   */
  public void addValue(String path, Object value) {
    Suggestion suggested = suggestion(value);
    Map<String, Object> templated = templated(path, suggested);
    add(path, templated == null ? suggested.definition : templated);
  }

  /** Adds the field of a value if a dynamic template matches; returns whether one does. */
  public boolean addTemplatedValue(String path, Object value) {
    Map<String, Object> definition = templated(path, suggestion(value));
    if (definition != null) {
      add(path, definition);
    }
    return definition != null;
  }

  /** Adds an object without new fields. */
  public void addObject(String path) {
    add(path, Map.of("type", "object"));
  }

  /**
   * Adds an object by the first template that matches and returns the template's definition, or
   * null without one. When its type has values, the object is a field of that type.
   */
  public @Nullable Map<String, Object> addTemplatedObject(String path) {
    for (DynamicTemplate template : mapping.options().templates()) {
      if (template.matches(path, "object")) {
        Map<String, Object> definition = template.mapping(path, "object");
        add(path, definition);
        return definition;
      }
    }
    return null;
  }

  private void add(String path, Map<String, Object> definition) {
    Map<String, Object> at = properties;
    String[] names = path.split("\\.", -1);
    String above = "";
    for (int i = 0; i < names.length - 1; i++) {
      above = above.isEmpty() ? names[i] : above + "." + names[i];
      at = inner(at, names[i], mapping.object(above));
    }
    at.putIfAbsent(names[names.length - 1], definition);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> inner(
      Map<String, Object> properties, String name, @Nullable ObjectField known) {
    Map<String, Object> object =
        new LinkedHashMap<>((Map<String, Object>) properties.getOrDefault(name, Map.of()));
    // If the name has a value in one document and an object in another, the merge refuses it.
    Map<String, Object> inner =
        new LinkedHashMap<>((Map<String, Object>) object.getOrDefault("properties", Map.of()));
    object.put("properties", inner);
    object.remove("type", "object");
    FieldMapping.Nesting nesting = known == null ? null : known.nesting();
    if (nesting != null) {
      object.put("type", "nested");
      object.put("include_in_parent", nesting.includeInParent());
      object.put("include_in_root", nesting.includeInRoot());
    }
    properties.put(name, object);
    return inner;
  }

  private @Nullable Map<String, Object> templated(String path, Suggestion suggested) {
    for (DynamicTemplate template : mapping.options().templates()) {
      if (template.matches(path, suggested.jsonType)) {
        return template.mapping(path, suggested.dynamicType);
      }
    }
    return null;
  }

  /**
   * The type that a value suggests.
   *
   * @param jsonType the type that templates match
   * @param dynamicType the type of a template that has none
   * @param definition the mapping without a template
   */
  private record Suggestion(String jsonType, String dynamicType, Map<String, Object> definition) {}

  private Suggestion suggestion(Object value) {
    return switch (value) {
      case Boolean _ -> new Suggestion("boolean", "boolean", Map.of("type", "boolean"));
      case Long _, Integer _, BigInteger _ -> WHOLE_NUMBER;
      case Double _, Float _, BigDecimal _ -> DECIMAL_NUMBER;
      default -> ofText(value.toString());
    };
  }

  private Suggestion ofText(String text) {
    RootOptions.Detection detection = mapping.options().detection();
    boolean isWhole = WHOLE.matcher(text).matches();
    boolean isDecimal = isWhole || DECIMAL.matcher(text).matches();
    if (detection.numbers() && isDecimal) {
      return isWhole ? WHOLE_NUMBER : DECIMAL_NUMBER;
    }
    // Numbers are not parsed as dates, because most of them are valid as an epoch or a year.
    String format = detection.dates() && !isDecimal ? dateFormat(text) : null;
    if (format != null) {
      return new Suggestion("date", "date", date(format));
    }
    Map<String, Object> keyword = ordered("type", "keyword", "ignore_above", 256);
    return new Suggestion(
        "string", "text", ordered("type", "text", "fields", Map.of("keyword", keyword)));
  }

  private static Map<String, Object> date(String format) {
    return format.equals(RootOptions.Detection.DATE_FORMATS.getFirst())
        ? Map.of("type", "date")
        : ordered("type", "date", "format", format);
  }

  /** The first dynamic date format that parses the text, or null. */
  private @Nullable String dateFormat(String text) {
    List<String> formats = mapping.options().detection().dateFormats();
    if (formats.equals(RootOptions.Detection.DATE_FORMATS)
        && !MAY_BE_DATE.matcher(text).matches()) {
      return null;
    }
    return formats.stream().filter(format -> reads(format, text)).findFirst().orElse(null);
  }

  private static boolean reads(String format, String text) {
    try {
      var _ = DateFormat.of(format).parse(text);
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
