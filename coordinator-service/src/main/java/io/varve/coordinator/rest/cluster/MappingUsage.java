package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.index.IndexJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts how often indices use each field type and each analysis component. */
final class MappingUsage {

  private static final List<String> PARTS =
      List.of("char_filter", "tokenizer", "filter", "analyzer");

  /** The number of uses, and the indices with at least one use. */
  private static final class Use {
    long count;
    final Set<String> indices = new HashSet<>();

    void in(String index) {
      count++;
      indices.add(index);
    }
  }

  private MappingUsage() {}

  static List<Object> fieldTypes(Collection<IndexMetadata> indices) {
    Map<String, Use> uses = new TreeMap<>();
    indices.forEach(index -> addFields(index.name(), IndexJson.mapping(index), uses));
    return shown(uses);
  }

  private static void addFields(String index, Object mapping, Map<String, Use> uses) {
    if (!(mapping instanceof Map<?, ?> map)) {
      return;
    }
    for (String level : List.of("properties", "fields")) {
      if (map.get(level) instanceof Map<?, ?> fields) {
        for (Object field : fields.values()) {
          if (field instanceof Map<?, ?> parameters) {
            Object type = parameters.get("type");
            String name = type == null ? "object" : type.toString();
            uses.computeIfAbsent(name, _ -> new Use()).in(index);
          }
          addFields(index, field, uses);
        }
      }
    }
  }

  static Map<String, Object> analysis(Collection<IndexMetadata> indices) {
    Map<String, Map<String, Use>> byPart = new HashMap<>();
    for (IndexMetadata index : indices) {
      index
          .settings()
          .forEach((name, value) -> {
            String[] path = name.split("\\.", -1);
            if (path.length == 5
                && name.startsWith("index.analysis.")
                && path[4].equals("type")
                && PARTS.contains(path[2])) {
              byPart
                  .computeIfAbsent(path[2], _ -> new TreeMap<>())
                  .computeIfAbsent(value, _ -> new Use())
                  .in(index.name());
            }
          });
    }
    Map<String, Object> shown = object();
    PARTS.forEach(part -> shown.put(part + "_types", shown(byPart.getOrDefault(part, Map.of()))));
    // Mappings refer to built-in components by names that no registry lists, so built-in components
    // are not counted.
    for (String part : List.of("char_filters", "tokenizers", "filters", "analyzers")) {
      shown.put("built_in_" + part, List.of());
    }
    return shown;
  }

  private static List<Object> shown(Map<String, Use> uses) {
    List<Object> shown = new ArrayList<>();
    uses.forEach((name, use) ->
        shown.add(object("name", name, "count", use.count, "index_count", use.indices.size())));
    return shown;
  }
}
