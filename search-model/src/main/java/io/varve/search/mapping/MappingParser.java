package io.varve.search.mapping;

import io.varve.events.Json;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;

/** Reads a mapping's JSON; what it does not know it refuses, in the dialect's words. */
final class MappingParser {

  private static final int DEPTH_LIMIT = 20;

  private static final ObjectReader READER =
      Json.mapper()
          .readerFor(new TypeReference<Map<String, Object>>() {})
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

  private MappingParser() {}

  static Mapping parse(String json) {
    Map<String, Object> source = read(json);
    Map<String, Object> rest = new LinkedHashMap<>(source);
    Object dynamic = rest.remove("dynamic");
    Dynamic declared = dynamic == null ? null : Dynamic.parse(dynamic);
    boolean sourceEnabled = sourceEnabled(rest.remove("_source"));
    Object meta = rest.remove("_meta");
    boolean dates = flag("date_detection", rest.remove("date_detection"), true);
    boolean numbers = flag("numeric_detection", rest.remove("numeric_detection"), false);
    Dynamic effective = declared == null ? Dynamic.TRUE : declared;
    SortedMap<String, FieldMapping> properties =
        properties("", effective, rest.remove("properties"), 1);
    if (!rest.isEmpty()) {
      throw MappingErrors.parsing(
          "Root mapping definition has unsupported parameters:  " + unsupported(rest));
    }
    ObjectField root = new ObjectField("", declared, effective, true, properties);
    return Mapping.of(
        root, sourceEnabled, meta == null ? Map.of() : map("_meta", meta), dates, numbers);
  }

  /** The keys at the top of a mapping: those it does not name are not changed by a merge. */
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

  private static boolean sourceEnabled(@Nullable Object value) {
    if (value == null) {
      return true;
    }
    Map<String, Object> source = new LinkedHashMap<>(map("_source", value));
    boolean enabled = flag("enabled", source.remove("enabled"), true);
    if (!source.isEmpty()) {
      String name = source.keySet().iterator().next();
      throw MappingErrors.parsing("unknown parameter [" + name + "] on metadata field [_source]");
    }
    return enabled;
  }

  private static SortedMap<String, FieldMapping> properties(
      String path, Dynamic dynamic, @Nullable Object value, int depth) {
    SortedMap<String, FieldMapping> properties = new TreeMap<>();
    if (value == null) {
      return properties;
    }
    if (depth > DEPTH_LIMIT) {
      throw MappingErrors.illegal(
          "Limit of mapping depth ["
              + DEPTH_LIMIT
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

  private static FieldMapping field(
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
    boolean object =
        "object".equals(type)
            || (type == null
                && (rest.containsKey("properties")
                    || (rest.size() == 1 && rest.containsKey("enabled"))));
    if (object) {
      return objectField(path, dynamic, rest, depth);
    }
    if (type == null) {
      throw MappingErrors.parsing("No type specified for field [" + name + "]");
    }
    return leaf(path, name, type.toString(), rest, true);
  }

  private static ObjectField objectField(
      String path, Dynamic inherited, Map<String, Object> rest, int depth) {
    Object dynamic = rest.remove("dynamic");
    Dynamic declared = dynamic == null ? null : Dynamic.parse(dynamic);
    Dynamic effective = declared == null ? inherited : declared;
    boolean enabled = flag("enabled", rest.remove("enabled"), true);
    SortedMap<String, FieldMapping> properties =
        properties(path, effective, rest.remove("properties"), depth + 1);
    if (!rest.isEmpty()) {
      throw MappingErrors.parsing(
          "Mapping definition for ["
              + path.substring(path.lastIndexOf('.') + 1)
              + "] has unsupported parameters:  "
              + unsupported(rest));
    }
    return new ObjectField(path, declared, effective, enabled, properties);
  }

  private static LeafField leaf(
      String path, String name, String typeName, Map<String, Object> rest, boolean mayHaveFields) {
    FieldType type = FieldType.named(typeName);
    if (type == null) {
      throw MappingErrors.parsing(
          "No handler for type [" + typeName + "] declared on field [" + name + "]");
    }
    Object fields = mayHaveFields ? rest.remove("fields") : null;
    Map<Parameter, Object> parameters = new EnumMap<>(Parameter.class);
    for (Parameter parameter : type.parameters()) {
      if (rest.containsKey(parameter.json())) {
        parameters.put(parameter, parameter.read(name, type, rest.remove(parameter.json())));
      }
    }
    if (!rest.isEmpty()) {
      throw MappingErrors.parsing(
          "unknown parameter ["
              + rest.keySet().iterator().next()
              + "] on mapper ["
              + name
              + "] of type ["
              + typeName
              + "]");
    }
    if (type == FieldType.SCALED_FLOAT && !parameters.containsKey(Parameter.SCALING_FACTOR)) {
      throw MappingErrors.parsing("Field [scaling_factor] is required");
    }
    LeafField leaf = new LeafField(path, type, parameters, subFields(path, fields));
    checkNullDate(leaf);
    return leaf;
  }

  private static SortedMap<String, LeafField> subFields(String path, @Nullable Object value) {
    SortedMap<String, LeafField> fields = new TreeMap<>();
    if (value == null) {
      return fields;
    }
    map("fields", value)
        .forEach((name, definition) -> {
          if (name.isEmpty() || name.indexOf('.') >= 0) {
            throw MappingErrors.parsing(
                "Field name ["
                    + name
                    + "] which is a multi field of ["
                    + path
                    + "] cannot contain '.'");
          }
          Map<String, Object> rest = new LinkedHashMap<>(map(name, definition));
          Object type = rest.remove("type");
          if (type == null) {
            throw MappingErrors.parsing("No type specified for field [" + name + "]");
          }
          fields.put(name, leaf(path + "." + name, name, type.toString(), rest, false));
        });
    return fields;
  }

  private static void checkNullDate(LeafField leaf) {
    Object nullValue = leaf.nullValue();
    if (leaf.type() != FieldType.DATE || nullValue == null) {
      return;
    }
    try {
      var _ = leaf.dateFormat().parse(nullValue);
    } catch (ValueException e) {
      throw MappingErrors.parsing(
          "Error parsing [null_value] on field [" + leaf.path() + "]: " + e.getMessage(), e);
    }
  }

  private static boolean flag(String name, @Nullable Object value, boolean otherwise) {
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
