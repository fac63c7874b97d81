package io.varve.coordinator.rest.mapping;

import io.varve.names.Wildcard;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Combines the capabilities of fields across indices, by name and type. */
final class FieldCapabilities {

  /** The capabilities of one field in one index. */
  private record Capability(
      String index, boolean searchable, boolean aggregatable, Map<String, String> meta) {}

  private static final String UNMAPPED = "unmapped";

  /** Metadata fields, which every document has. */
  private static final Map<String, Boolean> METADATA =
      Map.of("_id", true, "_index", true, "_routing", false, "_ignored", false);

  private final List<String> patterns;
  private final Set<String> indices = new TreeSet<>();
  private final SortedMap<String, SortedMap<String, List<Capability>>> found = new TreeMap<>();

  FieldCapabilities(List<String> patterns) {
    this.patterns = patterns;
  }

  void add(String index, Mapping mapping) {
    indices.add(index);
    METADATA.forEach((name, values) -> {
      if (isWanted(name)) {
        put(name, name, new Capability(index, true, values, Map.of()));
      }
    });
    mapping.leaves().forEach((name, field) -> add(index, name, field));
    mapping
        .aliases()
        .forEach((name, target) -> {
          LeafField field = mapping.leaf(target);
          if (field != null) {
            add(index, name, field);
          }
        });
    addObjects(index, mapping.root());
  }

  private void addObjects(String index, ObjectField object) {
    for (FieldMapping field : object.properties().values()) {
      if (field instanceof ObjectField inner) {
        if (isWanted(inner.path())) {
          String type = inner.isNested() ? "nested" : "object";
          put(inner.path(), type, new Capability(index, false, false, Map.of()));
        }
        addObjects(index, inner);
      }
    }
  }

  private void add(String index, String name, LeafField field) {
    if (isWanted(name)) {
      boolean constant = field.type() == FieldType.CONSTANT_KEYWORD;
      put(
          name,
          field.type().family(),
          new Capability(
              index,
              field.indexed() && field.type() != FieldType.BINARY,
              constant || field.docValues() || field.fielddata(),
              field.meta()));
    }
  }

  private boolean isWanted(String name) {
    return patterns.stream().anyMatch(pattern -> Wildcard.matches(pattern, name));
  }

  private void put(String name, String type, Capability capability) {
    found
        .computeIfAbsent(name, _ -> new TreeMap<>())
        .computeIfAbsent(type, _ -> new ArrayList<>())
        .add(capability);
  }

  /**
   * @param withUnmapped whether to list, for each field, the indices that lack it
   */
  Map<String, Object> answer(boolean withUnmapped) {
    Map<String, Object> fields = new TreeMap<>();
    found.forEach((name, types) -> {
      if (withUnmapped) {
        addUnmapped(types);
      }
      Map<String, Object> byType = new TreeMap<>();
      types.forEach((type, all) -> byType.put(type, shown(type, all, types.size() > 1)));
      fields.put(name, byType);
    });
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("indices", indices);
    answer.put("fields", fields);
    return answer;
  }

  private void addUnmapped(SortedMap<String, List<Capability>> types) {
    Set<String> lacking = new TreeSet<>(indices);
    types.values().forEach(all -> all.forEach(one -> lacking.remove(one.index)));
    if (!lacking.isEmpty()) {
      types.put(
          UNMAPPED,
          lacking.stream().map(index -> new Capability(index, false, false, Map.of())).toList());
    }
  }

  private static Map<String, Object> shown(String type, List<Capability> all, boolean several) {
    boolean searchable = all.stream().allMatch(Capability::searchable);
    boolean aggregatable = all.stream().allMatch(Capability::aggregatable);
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("type", type);
    shown.put("searchable", searchable);
    shown.put("aggregatable", aggregatable);
    if (several) {
      shown.put("indices", all.stream().map(Capability::index).toList());
    }
    if (!searchable && all.stream().anyMatch(Capability::searchable)) {
      shown.put(
          "non_searchable_indices",
          all.stream().filter(one -> !one.searchable).map(Capability::index).toList());
    }
    if (!aggregatable && all.stream().anyMatch(Capability::aggregatable)) {
      shown.put(
          "non_aggregatable_indices",
          all.stream().filter(one -> !one.aggregatable).map(Capability::index).toList());
    }
    SortedMap<String, Set<String>> meta = new TreeMap<>();
    all.forEach(one ->
        one.meta.forEach(
            (key, value) -> meta.computeIfAbsent(key, _ -> new TreeSet<>()).add(value)));
    if (!meta.isEmpty()) {
      shown.put("meta", meta);
    }
    return shown;
  }
}
