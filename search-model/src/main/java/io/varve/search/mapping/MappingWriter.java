package io.varve.search.mapping;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes mappings in one order: settings of the whole, then fields by name, each type first. */
final class MappingWriter {

  private MappingWriter() {}

  static Map<String, Object> toMap(Mapping mapping) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (mapping.root().declaredDynamic() != null) {
      map.put("dynamic", mapping.root().dynamic().json());
    }
    if (!mapping.meta().isEmpty()) {
      map.put("_meta", mapping.meta());
    }
    if (!mapping.sourceEnabled()) {
      map.put("_source", Map.of("enabled", false));
    }
    if (!mapping.dateDetection()) {
      map.put("date_detection", false);
    }
    if (mapping.numericDetection()) {
      map.put("numeric_detection", true);
    }
    if (!mapping.root().properties().isEmpty()) {
      map.put("properties", properties(mapping.root()));
    }
    return map;
  }

  private static Map<String, Object> properties(ObjectField object) {
    Map<String, Object> map = new LinkedHashMap<>();
    object.properties().forEach((name, field) -> map.put(name, toMap(field)));
    return map;
  }

  static Map<String, Object> toMap(FieldMapping field) {
    return switch (field) {
      case ObjectField object -> objectMap(object);
      case LeafField leaf -> leafMap(leaf);
    };
  }

  private static Map<String, Object> objectMap(ObjectField object) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (object.declaredDynamic() != null) {
      map.put("dynamic", object.dynamic().json());
    }
    if (!object.enabled()) {
      map.put("enabled", false);
    }
    if (object.properties().isEmpty()) {
      map.put("type", "object");
    } else {
      map.put("properties", properties(object));
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
