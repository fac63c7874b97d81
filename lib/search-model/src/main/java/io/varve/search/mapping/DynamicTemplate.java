package io.varve.search.mapping;

import io.varve.names.Wildcard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Defines the mapping of new fields whose name, path and JSON type match. {@code {name}} and {@code
 * {dynamic_type}} in the mapping are replaced.
 *
 * @param definition as received, for the get mapping API
 */
public record DynamicTemplate(String name, Map<String, Object> definition) {

  private static final Set<String> TYPES =
      Set.of("object", "string", "long", "double", "boolean", "date", "binary");
  private static final Set<String> KEYS =
      Set.of(
          "match",
          "unmatch",
          "path_match",
          "path_unmatch",
          "match_mapping_type",
          "match_pattern",
          "mapping");

  public DynamicTemplate {
    definition = Collections.unmodifiableMap(new LinkedHashMap<>(definition));
  }

  static DynamicTemplate parse(String name, Map<String, Object> definition) {
    for (String key : definition.keySet()) {
      if (!KEYS.contains(key)) {
        throw MappingErrors.illegal("Illegal dynamic template parameter: [" + key + "]");
      }
    }
    if (!(definition.get("mapping") instanceof Map)) {
      throw MappingErrors.parsing("template must have mapping set");
    }
    boolean says =
        definition.containsKey("match")
            || definition.containsKey("path_match")
            || definition.containsKey("match_mapping_type");
    if (!says) {
      throw MappingErrors.parsing(
          "template must have match, path_match or match_mapping_type set " + definition);
    }
    DynamicTemplate template = new DynamicTemplate(name, definition);
    template.check();
    return template;
  }

  private void check() {
    Object type = definition.get("match_mapping_type");
    if (type != null && !"*".equals(type) && !TYPES.contains(type.toString())) {
      throw MappingErrors.illegal(
          "No field type matched on ["
              + type
              + "], possible values are [object, string, long, double, boolean, date, binary]");
    }
    String kind = text("match_pattern");
    if (kind != null && !kind.equals("simple") && !kind.equals("regex")) {
      throw MappingErrors.illegal(
          "No matching pattern matched on [" + kind + "], possible values are [simple, regex]");
    }
    String match = text("match");
    if ("regex".equals(kind) && match != null) {
      try {
        var _ = Pattern.compile(match);
      } catch (PatternSyntaxException e) {
        throw MappingErrors.illegal(
            "Pattern ["
                + match
                + "] of type [regex] is invalid. Cannot create dynamic template ["
                + name
                + "].");
      }
    }
  }

  private @Nullable String text(String key) {
    Object value = definition.get(key);
    return value == null
        ? null
        : value.toString().toLowerCase(Locale.ROOT).equals("regex") && key.equals("match_pattern")
            ? "regex"
            : value.toString();
  }

  /**
   * @param jsonType object, string, long, double, boolean or date
   */
  boolean matches(String path, String jsonType) {
    String simple = path.substring(path.lastIndexOf('.') + 1);
    boolean regex = "regex".equals(text("match_pattern"));
    return hits("path_match", path, false, true)
        && hits("match", simple, regex, true)
        && !hits("path_unmatch", path, false, false)
        && !hits("unmatch", simple, regex, false)
        && ofType(jsonType);
  }

  private boolean ofType(String jsonType) {
    String type = text("match_mapping_type");
    return type == null || type.equals("*") || type.equals(jsonType);
  }

  private boolean hits(String key, String value, boolean regex, boolean whenMissing) {
    String pattern = text(key);
    if (pattern == null) {
      return whenMissing;
    }
    return regex
        ? Pattern.compile(pattern).matcher(value).matches()
        : Wildcard.matches(pattern, value);
  }

  /**
   * The mapping of a new field.
   *
   * @param dynamicType the type that its value would get without a template
   */
  Map<String, Object> mapping(String path, String dynamicType) {
    String simple = path.substring(path.lastIndexOf('.') + 1);
    Map<String, Object> mapping =
        filled(MappingParser.map("mapping", definition.get("mapping")), simple, dynamicType);
    if (!mapping.containsKey("type") && !mapping.containsKey("properties")) {
      mapping.put("type", dynamicType);
    }
    return mapping;
  }

  private static Map<String, Object> filled(Map<?, ?> map, String simple, String dynamicType) {
    Map<String, Object> filled = new LinkedHashMap<>();
    map.forEach((key, value) ->
        filled.put(
            fill(String.valueOf(key), simple, dynamicType),
            value == null ? null : filledValue(value, simple, dynamicType)));
    return filled;
  }

  private static Object filledValue(Object value, String simple, String dynamicType) {
    return switch (value) {
      case Map<?, ?> map -> filled(map, simple, dynamicType);
      case List<?> list -> {
        List<Object> filled = new ArrayList<>();
        list.forEach(one -> {
          if (one != null) {
            filled.add(filledValue(one, simple, dynamicType));
          }
        });
        yield filled;
      }
      case String text -> fill(text, simple, dynamicType);
      default -> value;
    };
  }

  private static String fill(String text, String simple, String dynamicType) {
    return text.replace("{name}", simple)
        .replace("{dynamic_type}", dynamicType)
        .replace("{dynamicType}", dynamicType);
  }
}
