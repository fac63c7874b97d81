package io.varve.search.mapping;

import io.varve.events.Json;
import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.Nesting;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;

/** Parses a mapping's JSON. Unknown parameters are rejected with OpenSearch's messages. */
final class MappingParser {

  /** Maximum depth of JSON, whatever the limit of the index. */
  private static final int DEEPEST = 500;

  private static final ObjectReader READER =
      Json.mapper()
          .readerFor(new TypeReference<Map<String, Object>>() {})
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

  private final FieldParser leaves;

  private MappingParser(MappingRules rules) {
    this.leaves = new FieldParser(rules);
  }

  static Mapping parse(String json, MappingRules rules) {
    Map<String, Object> rest = new LinkedHashMap<>(read(json));
    Object dynamic = rest.remove("dynamic");
    Dynamic declared = dynamic == null ? null : Dynamic.parse(dynamic);
    Dynamic effective = declared == null ? Dynamic.TRUE : declared;
    SortedMap<String, FieldMapping> properties =
        new MappingParser(rules).properties("", effective, rest.remove("properties"), 1);
    boolean enabled = flag("enabled", rest.remove("enabled"), true);
    RootOptions options = RootParser.parse(rest);
    if (!rest.isEmpty()) {
      throw MappingErrors.parsing(
          "Root mapping definition has unsupported parameters:  " + unsupported(rest));
    }
    ObjectField root = new ObjectField("", declared, effective, enabled, null, properties);
    return Mapping.of(root, options, rules);
  }

  /** The root keys that a mapping sets; a merge leaves the others unchanged. */
  static Set<String> mentions(String json) {
    return read(json).keySet();
  }

  private static Map<String, Object> read(String json) {
    if (json.isBlank()) {
      return Map.of();
    }
    try {
      Map<String, Object> map = READER.readValue(json);
      return map == null ? Map.of() : map;
    } catch (JacksonException e) {
      throw MappingErrors.parsing("Failed to parse mapping: " + e.getOriginalMessage());
    }
  }

  private SortedMap<String, FieldMapping> properties(
      String path, Dynamic dynamic, @Nullable Object value, int depth) {
    SortedMap<String, FieldMapping> properties = new TreeMap<>();
    // Some clients send an empty list for no properties.
    if (value == null || (value instanceof List<?> list && list.isEmpty())) {
      return properties;
    }
    if (depth > DEEPEST) {
      throw MappingErrors.illegal(
          "Limit of mapping depth ["
              + DEEPEST
              + "] has been exceeded due to object field ["
              + path
              + "]");
    }
    Map<String, Object> undotted = new LinkedHashMap<>();
    map("properties", value)
        .forEach((name, definition) -> DottedNames.put(undotted, name, definition));
    undotted.forEach((name, definition) -> {
      String fieldPath = path.isEmpty() ? name : path + "." + name;
      properties.put(name, field(fieldPath, name, dynamic, definition, depth));
    });
    return properties;
  }

  private FieldMapping field(
      String path, String name, Dynamic dynamic, @Nullable Object definition, int depth) {
    if (!(definition instanceof Map)) {
      throw MappingErrors.parsing(
          "Expected map for property [fields] on field ["
              + name
              + "] but got a "
              + kind(definition));
    }
    Map<String, Object> rest = new LinkedHashMap<>(map(name, definition));
    Object type = rest.remove("type");
    if (isObject(type, rest)) {
      return objectField(path, dynamic, rest, "nested".equals(type), depth);
    }
    if (type == null) {
      throw MappingErrors.parsing("No type specified for field [" + name + "]");
    }
    return type.equals("alias")
        ? alias(path, name, rest)
        : leaves.leaf(path, name, type.toString(), rest, true);
  }

  private static boolean isObject(@Nullable Object type, Map<String, Object> rest) {
    return "object".equals(type)
        || "nested".equals(type)
        || (type == null
            && (rest.containsKey("properties")
                || rest.containsKey("dynamic")
                || (rest.size() == 1 && rest.containsKey("enabled"))));
  }

  private static AliasField alias(String path, String name, Map<String, Object> rest) {
    Object target = rest.remove("path");
    rest.remove("meta");
    if (target == null) {
      throw MappingErrors.parsing(
          "The [path] property must be specified for field [" + name + "].");
    }
    if (!rest.isEmpty()) {
      throw FieldParser.unknown(rest.keySet().iterator().next(), name, "alias");
    }
    return new AliasField(path, target.toString());
  }

  private ObjectField objectField(
      String path, Dynamic inherited, Map<String, Object> rest, boolean nested, int depth) {
    Object dynamic = rest.remove("dynamic");
    Dynamic declared = dynamic == null ? null : Dynamic.parse(dynamic);
    Dynamic effective = declared == null ? inherited : declared;
    boolean enabled = flag("enabled", rest.remove("enabled"), true);
    Nesting nesting =
        nested
            ? new Nesting(
                flag("include_in_parent", rest.remove("include_in_parent"), false),
                flag("include_in_root", rest.remove("include_in_root"), false))
            : null;
    SortedMap<String, FieldMapping> properties =
        properties(path, effective, rest.remove("properties"), depth + 1);
    if (!rest.isEmpty()) {
      throw MappingErrors.parsing(
          "Mapping definition for ["
              + path.substring(path.lastIndexOf('.') + 1)
              + "] has unsupported parameters:  "
              + unsupported(rest));
    }
    return new ObjectField(path, declared, effective, enabled, nesting, properties);
  }

  static boolean flag(String name, @Nullable Object value, boolean otherwise) {
    if (value == null) {
      return otherwise;
    }
    return switch (value.toString()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw MappingErrors.parsing(
              "Could not convert ["
                  + name
                  + "] to boolean: Failed to parse value ["
                  + value
                  + "] as only [true] or [false] are allowed.");
    };
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(String name, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw MappingErrors.parsing(
        "Expected map for property [" + name + "] but got a " + kind(value));
  }

  private static String kind(@Nullable Object value) {
    return value == null ? "null" : value.getClass().toString();
  }

  private static String unsupported(Map<String, Object> rest) {
    StringBuilder text = new StringBuilder();
    rest.forEach(
        (name, value) -> text.append(" [").append(name).append(" : ").append(value).append(']'));
    return text.toString().strip();
  }
}
