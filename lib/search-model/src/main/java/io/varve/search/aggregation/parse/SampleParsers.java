package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import java.util.Set;

/** Parses {@code sampler} and {@code diversified_sampler}. */
final class SampleParsers {

  private static final int DEFAULT_SHARD_SIZE = 100;

  /** The valid execution hints. They have no effect, because there is one implementation. */
  private static final Set<String> HINTS = Set.of("map", "global_ordinals", "bytes_hash");

  private SampleParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    int shardSize = fields.takeInt("shard_size", DEFAULT_SHARD_SIZE);
    if (shardSize < 0) {
      throw AggregationFields.illegal(
          "[shardSize] must be greater than or equal to 0. Found ["
              + shardSize
              + "] in ["
              + fields.name()
              + "]");
    }
    if (type.equals("sampler")) {
      return new BucketAggregation.Sampler(shardSize);
    }
    int perValue = fields.takeInt("max_docs_per_value", 1);
    if (perValue < 0) {
      throw AggregationFields.illegal(
          "[maxDocsPerValue] must be greater than or equal to 0. Found ["
              + perValue
              + "] in ["
              + fields.name()
              + "]");
    }
    String hint = fields.takeString("execution_hint");
    if (hint != null && !HINTS.contains(hint)) {
      throw AggregationFields.illegal(
          "Unknown `execution_hint`: ["
              + hint
              + "], expected any of [map, global_ordinals, bytes_hash]");
    }
    return new BucketAggregation.DiversifiedSampler(Sources.of(fields), shardSize, perValue);
  }
}
