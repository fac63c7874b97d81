package io.varve.search.aggregation.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One aggregation's final answer. */
public sealed interface Result {

  /** What {@code typed_keys} puts before the name. */
  String typeName();

  /**
   * Figures.
   *
   * @param fields as JSON shows them
   * @param figures those that other aggregations can ask for; a lone one is called {@code value}
   */
  record Figures(String typeName, Map<String, @Nullable Object> fields, Map<String, Double> figures)
      implements Result {
    public Figures {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
      figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
  }

  /** The best documents. */
  record Hits(String typeName, TopHits hits) implements Result {}

  /** One group of documents. */
  record Single(String typeName, long docCount, Results aggregations) implements Result {}

  /**
   * Groups of documents.
   *
   * @param head fields before the buckets
   * @param keyed as an object by name instead of a list
   * @param tail fields after the buckets
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

    /** The same with other buckets. */
    public Buckets with(List<Bucket> other) {
      return new Buckets(typeName, head, other, keyed, tail);
    }
  }

  /**
   * A group of documents.
   *
   * @param key as it is compared; null for none
   * @param name of the bucket in a keyed answer, and in paths
   * @param fields as JSON shows them
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

    /** The same with other aggregations. */
    public Bucket with(Results other) {
      return new Bucket(key, name, fields, docCount, other);
    }
  }
}
