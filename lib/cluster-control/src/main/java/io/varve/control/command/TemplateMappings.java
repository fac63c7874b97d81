package io.varve.control.command;

import io.varve.events.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the JSON of two mappings; the upper one overrides the lower one. Objects are merged field
 * by field. The upper definition of a field replaces the lower one; among legacy templates it
 * replaces single parameters. Dynamic templates of the upper mapping precede those of the lower one
 * that have other names. A name with dots is a path.
 */
final class TemplateMappings {

  private static final String PROPERTIES = "properties";
  private static final String DYNAMIC_TEMPLATES = "dynamic_templates";

  private TemplateMappings() {}

  static String merge(String under, String over, boolean deep) {
    if (under.equals("{}")) {
      return over;
    }
    if (over.equals("{}")) {
      return under;
    }
    Map<String, Object> merged = mergeRoots(read(under), read(over), deep);
    return new String(Json.write(merged), StandardCharsets.UTF_8);
  }

  private static Map<String, Object> read(String json) {
    Map<String, Object> mapping = object(Json.mapper().readValue(json, Map.class));
    if (mapping.get(PROPERTIES) instanceof Map<?, ?> properties) {
      mapping.put(PROPERTIES, withoutDots(object(properties)));
    }
    return mapping;
  }

  private static Map<String, Object> object(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }

  private static Map<String, Object> withoutDots(Map<String, Object> properties) {
    Map<String, Object> result = new LinkedHashMap<>();
    properties.forEach((name, definition) -> {
      Object value = definition;
      if (definition instanceof Map<?, ?> map && map.get(PROPERTIES) instanceof Map<?, ?> below) {
        Map<String, Object> copy = object(map);
        copy.put(PROPERTIES, withoutDots(object(below)));
        value = copy;
      }
      int dot = name.indexOf('.');
      if (dot > 0 && dot < name.length() - 1) {
        Map<String, Object> inner = new LinkedHashMap<>();
        inner.put(name.substring(dot + 1), value);
        Map<String, Object> parent = new LinkedHashMap<>();
        parent.put(PROPERTIES, withoutDots(inner));
        name = name.substring(0, dot);
        value = parent;
      }
      Object former = result.get(name);
      result.put(
          name,
          former instanceof Map<?, ?> a && value instanceof Map<?, ?> b
              ? mergeFields(object(a), object(b), false)
              : value);
    });
    return result;
  }

  private static Map<String, Object> mergeRoots(
      Map<String, Object> under, Map<String, Object> over, boolean deep) {
    Map<String, Object> merged = new LinkedHashMap<>(under);
    over.forEach((key, value) -> {
      Object former = merged.get(key);
      if (key.equals(PROPERTIES) && former instanceof Map<?, ?> a && value instanceof Map<?, ?> b) {
        merged.put(key, mergeProperties(object(a), object(b), deep));
      } else if (key.equals(DYNAMIC_TEMPLATES)
          && former instanceof List<?> a
          && value instanceof List<?> b) {
        merged.put(key, mergeTemplates(a, b));
      } else if (former instanceof Map<?, ?> a
          && value instanceof Map<?, ?> b
          && (deep || key.equals("_meta"))) {
        merged.put(key, mergeDeep(object(a), object(b)));
      } else {
        merged.put(key, value);
      }
    });
    return merged;
  }

  private static Map<String, Object> mergeProperties(
      Map<String, Object> under, Map<String, Object> over, boolean deep) {
    Map<String, Object> merged = new LinkedHashMap<>(under);
    over.forEach((name, value) ->
        merged.put(
            name,
            merged.get(name) instanceof Map<?, ?> a && value instanceof Map<?, ?> b
                ? mergeFields(object(a), object(b), deep)
                : value));
    return merged;
  }

  private static Map<String, Object> mergeFields(
      Map<String, Object> under, Map<String, Object> over, boolean deep) {
    if (!isObject(under) || !isObject(over)) {
      return deep ? mergeDeep(under, over) : over;
    }
    Map<String, Object> merged = new LinkedHashMap<>(under);
    over.forEach((key, value) ->
        merged.put(
            key,
            key.equals(PROPERTIES)
                    && merged.get(key) instanceof Map<?, ?> a
                    && value instanceof Map<?, ?> b
                ? mergeProperties(object(a), object(b), deep)
                : value));
    return merged;
  }

  private static boolean isObject(Map<String, Object> definition) {
    Object type = definition.get("type");
    return type == null
        ? definition.containsKey(PROPERTIES)
        : type.equals("object") || type.equals("nested");
  }

  private static Map<String, Object> mergeDeep(
      Map<String, Object> under, Map<String, Object> over) {
    Map<String, Object> merged = new LinkedHashMap<>(under);
    over.forEach((key, value) ->
        merged.put(
            key,
            merged.get(key) instanceof Map<?, ?> a && value instanceof Map<?, ?> b
                ? mergeDeep(object(a), object(b))
                : value));
    return merged;
  }

  private static List<Object> mergeTemplates(List<?> under, List<?> over) {
    List<Object> merged = new ArrayList<>(over);
    for (Object template : under) {
      boolean replaced =
          over.stream()
              .anyMatch(other ->
                  template instanceof Map<?, ?> a
                      && other instanceof Map<?, ?> b
                      && a.keySet().equals(b.keySet()));
      if (!replaced) {
        merged.add(template);
      }
    }
    return merged;
  }
}
