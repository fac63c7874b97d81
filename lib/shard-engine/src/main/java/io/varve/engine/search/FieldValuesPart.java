package io.varve.engine.search;

import io.varve.events.Json;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fetches {@code fields} of a hit: values from all sources, under the names that were requested.
 */
final class FieldValuesPart implements HitPart {

  interface Values {
    List<Object> of(HitContext hit) throws IOException;
  }

  private final Map<String, List<Values>> byName = new LinkedHashMap<>();
  private final Set<String> stored = new LinkedHashSet<>();
  private boolean source;

  FieldValuesPart addFromSource(String name, Values values) {
    source = true;
    // A field also requested as doc value is returned as in the source.
    byName.remove(name);
    return add(name, values);
  }

  FieldValuesPart addStored(String name, String path, UnaryOperator<Object> shown) {
    stored.add(path);
    return add(name, hit -> hit.stored.getOrDefault(path, List.of()).stream().map(shown).toList());
  }

  FieldValuesPart add(String name, Values values) {
    byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(values);
    return this;
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  @Override
  public boolean needsSource() {
    return source;
  }

  @Override
  public Set<String> storedFields() {
    return stored;
  }

  @Override
  public ShardHit.@Nullable Part of(HitContext hit) throws IOException {
    Map<String, List<Object>> shown = new LinkedHashMap<>();
    for (Map.Entry<String, List<Values>> field : byName.entrySet()) {
      for (Values values : field.getValue()) {
        List<Object> some = values.of(hit);
        if (!some.isEmpty()) {
          shown.computeIfAbsent(field.getKey(), _ -> new ArrayList<>()).addAll(some);
        }
      }
    }
    return shown.isEmpty() ? null : new ShardHit.Part("fields", Json.write(shown));
  }
}
