package io.varve.search.aggregation.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final result of one aggregation. */
public sealed interface Result {

  /** The type that {@code typed_keys} writes before the name. */
  String typeName();

  /**
   * The result of a metric.
   *
   * @param fields the JSON of the metric
   * @param values values that other aggregations can refer to; a single one has the name "value"
   */
  record Metrics(String typeName, Map<String, @Nullable Object> fields, Map<String, Double> values)
      implements Result {
    public Metrics {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /** The hits of {@code top_hits}. */
  record Hits(String typeName, TopHits hits) implements Result {}

  /** A single bucket. */
  record Single(String typeName, long docCount, Results aggregations) implements Result {}

  /**
   * A list of buckets.
   *
   * @param head fields written before the buckets
   * @param keyed whether buckets are written as an object by name instead of a list
   * @param tail fields written after the buckets
   */
  record Buckets(
      String typeName,
      Map<String, @Nullable Object> head,
      List<Bucket> buckets,
      boolean keyed,
      Map<String, @Nullable Object> tail)
      implements Result {
    public Buckets {
      head = Collections.unmodifiableMap(new LinkedHashMap<>(head));
      buckets = List.copyOf(buckets);
      tail = Collections.unmodifiableMap(new LinkedHashMap<>(tail));
    }

    public Buckets(
        String typeName, Map<String, @Nullable Object> head, List<Bucket> buckets, boolean keyed) {
      this(typeName, head, buckets, keyed, Map.of());
    }

    public Buckets with(List<Bucket> other) {
      return new Buckets(typeName, head, other, keyed, tail);
    }
  }

  /**
   * A bucket.
   *
   * @param key the comparable key; null for none
   * @param name name of the bucket in a keyed response and in paths
   * @param fields the JSON of the bucket
   */
  record Bucket(
      @Nullable Object key,
      String name,
      Map<String, @Nullable Object> fields,
      long docCount,
      Results aggregations) {
    public Bucket {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public Bucket with(Results other) {
      return new Bucket(key, name, fields, docCount, other);
    }
  }
}
