package io.varve.search.aggregation;

/** An aggregation of a request, parsed but not yet bound to a mapping. */
public sealed interface Aggregation
    permits MetricAggregation, BucketAggregation, PipelineAggregation {

  /** The name of the type in a request, such as {@code terms}. */
  String type();
}
