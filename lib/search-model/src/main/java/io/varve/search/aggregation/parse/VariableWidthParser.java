package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;

/** Parses {@code variable_width_histogram}. */
final class VariableWidthParser {

  private static final int DEFAULT_BUCKETS = 10;
  private static final int MOST_BUFFERED = 50_000;

  private VariableWidthParser() {}

  static BucketAggregation read(AggregationFields fields) {
    int buckets = fields.takeInt("buckets", DEFAULT_BUCKETS);
    if (buckets <= 0) {
      throw refused(fields, "buckets must be greater than [0]");
    }
    if (buckets > MOST_BUFFERED) {
      throw refused(fields, "buckets must be less than " + MOST_BUFFERED);
    }
    int shardSize = fields.takeInt("shard_size", -1);
    if (shardSize != -1 && shardSize <= 1) {
      throw refused(fields, "shard_size must be greater than [1]");
    }
    int ofShard = shardSize == -1 ? (int) Math.min(Integer.MAX_VALUE, buckets * 50L) : shardSize;
    int buffer = fields.takeInt("initial_buffer", -1);
    if (buffer != -1 && buffer <= 0) {
      throw refused(fields, "initial_buffer must be greater than [0]");
    }
    int buffered = buffer == -1 ? (int) Math.min(10L * ofShard, MOST_BUFFERED) : buffer;
    if (buffered < buckets) {
      throw refused(
          fields,
          "initial_buffer must be at least buckets but was [" + buffered + "<" + buckets + "]");
    }
    int merged = (int) Math.min(Integer.MAX_VALUE, ofShard * 3L / 4);
    if (merged < buckets) {
      throw refused(
          fields,
          "3/4 of shard_size must be at least buckets but was [" + merged + "<" + buckets + "]");
    }
    return new BucketAggregation.VariableWidthHistogram(
        Sources.of(fields), buckets, ofShard, buffered);
  }

  private static RuntimeException refused(AggregationFields fields, String what) {
    return AggregationFields.illegal(what + " for [" + fields.name() + "]");
  }
}
