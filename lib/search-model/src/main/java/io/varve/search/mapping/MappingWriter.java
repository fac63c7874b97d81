package io.varve.search.mapping;

import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes mappings in a fixed order: root options first, then fields by name, each with its type
 * first.
 */
final class MappingWriter {

  private MappingWriter() {}

  static Map<String, Object> toMap(Mapping mapping) {
    RootOptions options = mapping.options();
    Map<String, Object> map = new LinkedHashMap<>();
    if (mapping.root().declaredDynamic() != null) {
      map.put("dynamic", mapping.root().dynamic().json());
    }
    if (!mapping.root().enabled()) {
      map.put("enabled", false);
    }
    if (!options.meta().isEmpty()) {
      map.put("_meta", options.meta());
    }
    if (options.routingRequired()) {
      map.put("_routing", Map.of("required", true));
    }
    if (!options.source().equals(RootOptions.SourceOptions.ALL)) {
      map.put("_source", source(options.source()));
    }
    putDetection(options.detection(), map);
    if (!options.templates().isEmpty()) {
      map.put(
          "dynamic_templates",
          options.templates().stream()
              .map(template -> Map.of(template.name(), template.definition()))
              .toList());
    }
    if (!mapping.root().properties().isEmpty()) {
      map.put("properties", properties(mapping.root()));
    }
    return map;
  }

  private static Map<String, Object> source(RootOptions.SourceOptions options) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (!options.enabled()) {
      map.put("enabled", false);
    }
    if (!options.includes().isEmpty()) {
      map.put("includes", options.includes());
    }
    if (!options.excludes().isEmpty()) {
      map.put("excludes", options.excludes());
    }
    return map;
  }

  private static void putDetection(RootOptions.Detection detection, Map<String, Object> map) {
    if (!detection.dateFormats().equals(RootOptions.Detection.DATE_FORMATS)) {
      map.put("dynamic_date_formats", detection.dateFormats());
    }
    if (!detection.dates()) {
      map.put("date_detection", false);
    }
    if (detection.numbers()) {
      map.put("numeric_detection", true);
    }
  }

  private static Map<String, Object> properties(ObjectField object) {
    Map<String, Object> map = new LinkedHashMap<>();
    object.properties().forEach((name, field) -> map.put(name, toMap(field)));
    return map;
  }

  static Map<String, Object> toMap(FieldMapping field) {
    return switch (field) {
      case ObjectField object -> objectMap(object);
      case AliasField alias -> {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("type", "alias");
        map.put("path", alias.target());
        yield map;
      }
      case LeafField leaf -> leafMap(leaf);
    };
  }

  private static Map<String, Object> objectMap(ObjectField object) {
    Map<String, Object> map = new LinkedHashMap<>();
    FieldMapping.Nesting nesting = object.nesting();
    if (nesting != null) {
      map.put("type", "nested");
      putTrue("include_in_parent", nesting.includeInParent(), map);
      putTrue("include_in_root", nesting.includeInRoot(), map);
    } else if (object.properties().isEmpty()) {
      map.put("type", "object");
    }
    if (object.declaredDynamic() != null) {
      map.put("dynamic", object.dynamic().json());
    }
    if (!object.enabled()) {
      map.put("enabled", false);
    }
    if (!object.properties().isEmpty()) {
      map.put("properties", properties(object));
    }
    return map;
  }

  private static void putTrue(String name, boolean value, Map<String, Object> map) {
    if (value) {
      map.put(name, true);
    }
  }

  /** A field's definition with all parameters, including those that have their default. */
  static Map<String, Object> withDefaults(LeafField leaf) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", leaf.type().json());
    for (Parameter parameter : leaf.type().parameters()) {
      Object value =
          switch (parameter) {
            case COERCE -> leaf.coerce();
            case IGNORE_MALFORMED -> leaf.ignoreMalformed();
            case SEARCH_ANALYZER -> leaf.searchAnalyzer();
            case SEARCH_QUOTE_ANALYZER -> leaf.searchQuoteAnalyzer();
            default -> leaf.value(parameter);
          };
      boolean said = leaf.parameters().containsKey(parameter);
      if (said || (parameter != Parameter.COPY_TO && parameter != Parameter.META)) {
        map.put(parameter.json(), value);
      }
    }
    return map;
  }

  private static Map<String, Object> leafMap(LeafField leaf) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", leaf.type().json());
    for (Parameter parameter : leaf.type().parameters()) {
      Object value = leaf.parameters().get(parameter);
      if (value != null) {
        map.put(parameter.json(), value);
      }
    }
    if (!leaf.fields().isEmpty()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      leaf.fields().forEach((name, field) -> fields.put(name, leafMap(field)));
      map.put("fields", fields);
    }
    return map;
  }
}
