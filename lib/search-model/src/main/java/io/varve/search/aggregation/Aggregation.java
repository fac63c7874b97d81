package io.varve.search.aggregation;

/** One aggregation as it was asked for. */
public sealed interface Aggregation
    permits MetricAggregation, BucketAggregation, PipelineAggregation {

  /** Its name in a request. */
  String type();
}
