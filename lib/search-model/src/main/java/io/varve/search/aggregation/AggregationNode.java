package io.varve.search.aggregation;

import io.varve.search.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A named aggregation with its sub-aggregations.
 *
 * @param meta user data that is returned with the result, or null
 * @param at position of the aggregation's body in the request
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
