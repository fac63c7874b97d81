package io.varve.engine.search.aggregation;

import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.sketch.DistinctSketch;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Creates metric aggregators. */
final class MetricFactory {

  private final AggregationContext context;
  private final FieldResolver resolver;

  MetricFactory(AggregationContext context, FieldResolver resolver) {
    this.context = context;
    this.resolver = resolver;
  }

  /**
   * @param scope the path of the nested objects in scope, or null for whole documents
   */
  Aggregator of(MetricAggregation metric, String name, @Nullable String scope) {
    MemoryAccount memory = context.memory();
    return switch (metric) {
      case MetricAggregation.Simple simple -> simple(simple);
      case MetricAggregation.ExtendedStats stats ->
          new StatsAggregator(
              numbers(stats.source(), metric.type()),
              new StatsAggregator.Wanted(true, true, true),
              memory);
      case MetricAggregation.Cardinality cardinality -> {
        Integer threshold = cardinality.precisionThreshold();
        yield new DistinctAggregator(
            resolver.resolve(cardinality.source(), metric.type(), FieldResolver.ALL, Kind.BYTES),
            threshold == null ? DistinctSketch.DEFAULT_THRESHOLD : threshold,
            memory);
      }
      case MetricAggregation.Percentiles percentiles ->
          new DigestAggregator(
              numbers(percentiles.source(), metric.type()), percentiles.digest(), memory);
      case MetricAggregation.PercentileRanks ranks ->
          new DigestAggregator(numbers(ranks.source(), metric.type()), ranks.digest(), memory);
      case MetricAggregation.MedianAbsoluteDeviation deviation ->
          new DigestAggregator(
              numbers(deviation.source(), metric.type()),
              new MetricAggregation.Digest.TDigest(deviation.compression()),
              memory);
      case MetricAggregation.WeightedAvg average ->
          new WeightedAggregator(
              numbers(average.value(), metric.type()),
              numbers(average.weight(), metric.type()),
              memory);
      case MetricAggregation.GeoBounds bounds ->
          new GeoMetricsAggregator(points(bounds.source(), metric.type()), memory);
      case MetricAggregation.GeoCentroid centroid ->
          new GeoMetricsAggregator(points(centroid.source(), metric.type()), memory);
      case MetricAggregation.TopHits hits ->
          new TopHitsAggregator(context.tools().hits(name, hits.request(), scope), context);
    };
  }

  private Aggregator simple(MetricAggregation.Simple simple) {
    StatsAggregator.Wanted wanted =
        switch (simple.metric()) {
          case AVG, SUM -> new StatsAggregator.Wanted(true, false, false);
          case MIN, MAX -> new StatsAggregator.Wanted(false, true, false);
          case STATS -> new StatsAggregator.Wanted(true, true, false);
          case VALUE_COUNT -> null;
        };
    return wanted == null
        ? new CountAggregator(
            resolver.resolve(simple.source(), simple.type(), FieldResolver.ALL, Kind.BYTES),
            context.memory())
        : new StatsAggregator(numbers(simple.source(), simple.type()), wanted, context.memory());
  }

  FieldValues numbers(FieldSource source, String type) {
    return resolver.resolve(source, type, FieldResolver.NUMBERS, Kind.DOUBLE_BITS);
  }

  /** Address ranges are excluded: they have no intervals. */
  FieldValues numbersOrRanges(FieldSource source, String type) {
    FieldValues values =
        resolver.resolve(source, type, FieldResolver.NUMBERS_AND_RANGES, Kind.DOUBLE_BITS);
    LeafField field = values.field();
    if (field != null && field.type() == FieldType.IP_RANGE) {
      throw FieldResolver.notSupported(field, type);
    }
    return values;
  }

  FieldValues points(FieldSource source, String type) {
    return resolver.resolve(source, type, EnumSet.of(Kind.POINT), Kind.POINT);
  }
}
