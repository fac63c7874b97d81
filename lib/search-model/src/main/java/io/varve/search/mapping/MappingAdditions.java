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
 * Collects the fields that a document brings and its mapping lacks, each as the first dynamic
 * template that fits says, or else with the type that its first value suggests: text is text with a
 * keyword beside it (a date where dates are detected and it reads as one), a whole number a long, a
 * decimal a float.
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
   * Adds the field that this value needs; a second value of the same field changes nothing.
   *
   * @param path full name, dots between the levels
   * @param value String, Boolean or Number
   */
  public void addValue(String path, Object value) {
    Suggestion suggested = suggestion(value);
    Map<String, Object> templated = templated(path, suggested);
    add(path, templated == null ? suggested.definition : templated);
  }

  /** The same when a dynamic template fits; whether one does. */
  public boolean addTemplatedValue(String path, Object value) {
    Map<String, Object> definition = templated(path, suggestion(value));
    if (definition != null) {
      add(path, definition);
    }
    return definition != null;
  }

  /** Adds an object that has no field that could be added. */
  public void addObject(String path) {
    add(path, Map.of("type", "object"));
  }

  /**
   * What a template makes of an object: {@code null} for a plain one, else its definition, which is
   * added. When its type holds values, the object is one.
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
    // A name that is a value here and an object there: the merge refuses it, as it must.
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
   * What a value is taken for.
   *
   * @param jsonType as templates match it
   * @param dynamicType the type that a template without one means
   * @param definition without a template
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
    // Pure numbers are too often taken for dates.
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

  /** The first of the formats in which dates are looked for that reads the text. */
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
