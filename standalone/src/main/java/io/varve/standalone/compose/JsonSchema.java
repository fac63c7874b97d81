package io.varve.standalone.compose;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Validates trees of maps, lists and scalars against a JSON schema.
 *
 * <p>It supports the keywords that the schema of the Compose Specification uses. The constructor
 * rejects a schema with any other keyword, so that none is ignored.
 */
final class JsonSchema {

  private static final String RULE = "schema";

  private static final Set<String> KEYWORDS =
      Set.of(
          "$ref",
          "additionalProperties",
          "definitions",
          "enum",
          "items",
          "maximum",
          "minimum",
          "oneOf",
          "pattern",
          "patternProperties",
          "properties",
          "required",
          "type",
          "uniqueItems");

  private static final Set<String> ANNOTATIONS =
      Set.of("$id", "$schema", "default", "deprecated", "description", "title");

  /** Keywords whose value is a list or a mapping of schemas. */
  private static final Set<String> SEVERAL =
      Set.of("definitions", "oneOf", "patternProperties", "properties");

  private final JsonNode root;

  JsonSchema(JsonNode root) {
    this.root = root;
    requireKnownKeywords(root);
  }

  private static void requireKnownKeywords(JsonNode schema) {
    schema
        .properties()
        .forEach(entry -> {
          String keyword = entry.getKey();
          JsonNode value = entry.getValue();
          if (!KEYWORDS.contains(keyword) && !ANNOTATIONS.contains(keyword)) {
            throw new IllegalArgumentException("unknown keyword of a schema: " + keyword);
          }
          if (SEVERAL.contains(keyword)) {
            value.forEach(JsonSchema::requireKnownKeywords);
          } else if (value.isObject() && KEYWORDS.contains(keyword)) {
            requireKnownKeywords(value);
          }
        });
  }

  List<Problem> validate(@Nullable Object value) {
    List<Problem> problems = new ArrayList<>();
    validate(root, "", value, problems);
    return problems;
  }

  private void validate(
      JsonNode schema, String path, @Nullable Object value, List<Problem> problems) {
    JsonNode resolved = resolved(schema);
    if (!hasType(resolved, value)) {
      problems.add(problem(path, "must be of type " + types(resolved) + ", is " + type(value)));
      return;
    }
    checkScalar(resolved, path, value, problems);
    if (resolved.has("oneOf")) {
      checkOneOf(resolved.path("oneOf"), path, value, problems);
    }
    if (value instanceof Map<?, ?> map) {
      checkMap(resolved, path, map, problems);
    } else if (value instanceof List<?> list) {
      checkList(resolved, path, list, problems);
    }
  }

  private JsonNode resolved(JsonNode schema) {
    JsonNode found = schema;
    while (found.has("$ref")) {
      found = root.at(found.path("$ref").asString().substring(1));
    }
    return found;
  }

  private static Set<String> types(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray()
        ? type.valueStream().map(JsonNode::asString).collect(Collectors.toUnmodifiableSet())
        : type.isMissingNode() ? Set.of() : Set.of(type.asString());
  }

  private static boolean hasType(JsonNode schema, @Nullable Object value) {
    Set<String> types = types(schema);
    return types.isEmpty()
        || types.contains(type(value))
        || (types.contains("number") && value instanceof Number);
  }

  private static String type(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> _ -> "object";
      case List<?> _ -> "array";
      case Boolean _ -> "boolean";
      case Integer _, Long _ -> "integer";
      case Number _ -> "number";
      default -> "string";
    };
  }

  private static void checkScalar(
      JsonNode schema, String path, @Nullable Object value, List<Problem> problems) {
    if (schema.has("enum")
        && schema
            .path("enum")
            .valueStream()
            .noneMatch(one -> one.asString().equals(String.valueOf(value)))) {
      problems.add(problem(path, "must be one of " + schema.path("enum") + ", is " + value));
    }
    if (value instanceof String text
        && schema.has("pattern")
        && !Pattern.compile(schema.path("pattern").asString()).matcher(text).find()) {
      problems.add(problem(path, "does not match " + schema.path("pattern") + ": " + text));
    }
    if (value instanceof Number number
        && (number.doubleValue() < schema.path("minimum").asDouble(-Double.MAX_VALUE)
            || number.doubleValue() > schema.path("maximum").asDouble(Double.MAX_VALUE))) {
      problems.add(problem(path, "is out of range: " + number));
    }
  }

  /** Reports the problems of the form that has the value's type, if there is only one. */
  private void checkOneOf(
      JsonNode forms, String path, @Nullable Object value, List<Problem> problems) {
    List<List<Problem>> ofTheType = new ArrayList<>();
    int fitting = 0;
    for (JsonNode form : forms) {
      List<Problem> found = new ArrayList<>();
      validate(form, path, value, found);
      fitting += found.isEmpty() ? 1 : 0;
      if (hasType(resolved(form), value)) {
        ofTheType.add(found);
      }
    }
    if (fitting == 0 && ofTheType.size() == 1) {
      problems.addAll(ofTheType.getFirst());
    } else if (fitting != 1) {
      problems.add(problem(path, "fits " + fitting + " of the allowed forms instead of one"));
    }
  }

  private void checkMap(JsonNode schema, String path, Map<?, ?> map, List<Problem> problems) {
    for (JsonNode name : schema.path("required")) {
      if (!map.containsKey(name.asString())) {
        problems.add(problem(path, "lacks the property " + name.asString()));
      }
    }
    map.forEach((key, child) -> {
      String name = String.valueOf(key);
      List<JsonNode> schemas = schemasOf(schema, name);
      JsonNode others = schema.path("additionalProperties");
      if (schemas.isEmpty() && others.isBoolean() && !others.asBoolean()) {
        problems.add(problem(path, "has the unknown property " + name));
      } else if (schemas.isEmpty() && others.isObject()) {
        schemas.add(others);
      }
      schemas.forEach(one -> validate(one, Problem.below(path, name), child, problems));
    });
  }

  private static List<JsonNode> schemasOf(JsonNode schema, String name) {
    List<JsonNode> schemas = new ArrayList<>();
    if (schema.path("properties").has(name)) {
      schemas.add(schema.path("properties").path(name));
    }
    schema
        .path("patternProperties")
        .properties()
        .forEach(entry -> {
          if (Pattern.compile(entry.getKey()).matcher(name).find()) {
            schemas.add(entry.getValue());
          }
        });
    return schemas;
  }

  private void checkList(JsonNode schema, String path, List<?> list, List<Problem> problems) {
    if (schema.path("uniqueItems").asBoolean(false) && new HashSet<>(list).size() < list.size()) {
      problems.add(problem(path, "has an element twice"));
    }
    if (schema.has("items")) {
      for (int i = 0; i < list.size(); i++) {
        validate(schema.path("items"), path + "[" + i + "]", list.get(i), problems);
      }
    }
  }

  private static Problem problem(String path, String text) {
    return new Problem(RULE, path, text);
  }
}
