package io.varve.search.aggregation;

import io.varve.search.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An aggregation in its place.
 *
 * @param meta what the user wants to see again, or null
 * @param at where its body began
 */
public record AggregationNode(
    String name,
    Aggregation aggregation,
    AggregationTree children,
    @Nullable Map<String, @Nullable Object> meta,
    JsonValue.At at) {

  public AggregationNode {
    meta = meta == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(meta));
  }
}
