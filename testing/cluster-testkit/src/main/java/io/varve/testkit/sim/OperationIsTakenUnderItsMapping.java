package io.varve.testkit.sim;

import io.varve.cluster.IndexMetadata;
import io.varve.events.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A copy applies an operation only once its node knows a mapping with all fields of the document.
 */
final class OperationIsTakenUnderItsMapping implements Invariant {

  private final Map<String, Set<?>> fieldsByMapping = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Taken(var copy, var offset, var operation))) {
      return;
    }
    byte[] source = operation.source();
    IndexMetadata index = copy.node().state().index(copy.shard().indexUuid()).orElse(null);
    if (source == null || index == null) {
      return;
    }
    Set<?> known = fieldsByMapping.computeIfAbsent(index.mapping(), this::fields);
    Set<?> needed = Json.read(source, Map.class).keySet();
    require(
        known.containsAll(needed),
        "%s takes the operation at %d with fields %s under version %d of the mapping with %s",
        copy,
        offset,
        needed,
        index.mappingVersion(),
        known);
  }

  private Set<?> fields(String mapping) {
    Object properties =
        Json.read(mapping.getBytes(StandardCharsets.UTF_8), Map.class).get("properties");
    return properties instanceof Map<?, ?> byName ? byName.keySet() : Set.of();
  }
}
