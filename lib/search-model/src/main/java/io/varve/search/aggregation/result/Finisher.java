package io.varve.search.aggregation.result;

import io.varve.search.aggregation.Aggregation;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.partial.AutoDatePartial;
import io.varve.search.aggregation.partial.ClustersPartial;
import io.varve.search.aggregation.partial.CompositePartial;
import io.varve.search.aggregation.partial.DigestPartial;
import io.varve.search.aggregation.partial.DistinctPartial;
import io.varve.search.aggregation.partial.FixedPartial;
import io.varve.search.aggregation.partial.HistogramPartial;
import io.varve.search.aggregation.partial.HitsPartial;
import io.varve.search.aggregation.partial.KeyedPartial;
import io.varve.search.aggregation.partial.NumbersPartial;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.PointsPartial;
import io.varve.search.aggregation.partial.RarePartial;
import io.varve.search.aggregation.partial.SignificantPartial;
import io.varve.search.aggregation.partial.SinglePartial;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.WeightedPartial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final reduce: computes the results of the response from merged partial results. */
public final class Finisher {

  private final BucketLimit limit;

  public Finisher(BucketLimit limit) {
    this.limit = limit;
  }

  public Results finish(AggregationTree tree, Partials partials) {
    List<Results.Named> finished = new ArrayList<>(tree.collected().size());
    for (int i = 0; i < tree.collected().size(); i++) {
      AggregationNode node = tree.collected().get(i);
      finished.add(
          new Results.Named(node.name(), finish(node, partials.list().get(i)), node.meta()));
    }
    return new Results(finished);
  }

  BucketLimit limit() {
    return limit;
  }

  private Result finish(AggregationNode node, Partial partial) {
    return switch (node.aggregation()) {
      case MetricAggregation metric -> metric(metric, partial);
      case BucketAggregation bucket -> bucket(bucket, node, partial);
      default ->
          throw new IllegalStateException(
              node.aggregation().type() + " does not collect documents");
    };
  }

  static Result metric(Aggregation aggregation, Partial partial) {
    return switch (aggregation) {
      case MetricAggregation.Simple simple ->
          MetricResults.simple(simple, (NumbersPartial) partial);
      case MetricAggregation.ExtendedStats stats ->
          MetricResults.extendedStats("extended_stats", (NumbersPartial) partial, stats.sigma());
      case MetricAggregation.Cardinality cardinality ->
          MetricResults.whole("cardinality", ((DistinctPartial) partial).sketch().count());
      case MetricAggregation.Percentiles percentiles ->
          DistributionResults.percentiles(percentiles, (DigestPartial) partial);
      case MetricAggregation.PercentileRanks ranks ->
          DistributionResults.ranks(ranks, (DigestPartial) partial);
      case MetricAggregation.MedianAbsoluteDeviation deviation ->
          DistributionResults.medianDeviation((DigestPartial) partial);
      case MetricAggregation.WeightedAvg average ->
          DistributionResults.weighted((WeightedPartial) partial);
      case MetricAggregation.GeoBounds bounds ->
          PointResults.bounds((PointsPartial) partial, bounds.wrapLongitude());
      case MetricAggregation.GeoCentroid centroid -> PointResults.centroid((PointsPartial) partial);
      case MetricAggregation.TopHits hits -> BestHits.finish((HitsPartial) partial, hits.request());
      default -> throw new IllegalStateException(aggregation.type() + " is not a metric");
    };
  }

  private Result bucket(BucketAggregation aggregation, AggregationNode node, Partial partial) {
    return switch (aggregation) {
      case BucketAggregation.Terms terms ->
          new TermBuckets(this, node, terms.order(), terms.thresholds(), terms.showError())
              .finish((TermsPartial) partial);
      case BucketAggregation.Histogram histogram ->
          new HistogramBuckets(this, node, histogram.shown())
              .numbers(histogram, (HistogramPartial) partial);
      case BucketAggregation.DateHistogram histogram ->
          new HistogramBuckets(this, node, histogram.shown())
              .dates(histogram, (HistogramPartial) partial);
      case BucketAggregation.Range range ->
          new FixedBuckets(this, node)
              .ranges("range", range.spans(), range.keyed(), (FixedPartial) partial);
      case BucketAggregation.DateRange range ->
          new FixedBuckets(this, node)
              .ranges("date_range", range.spans(), range.keyed(), (FixedPartial) partial);
      case BucketAggregation.IpRange range ->
          new FixedBuckets(this, node)
              .ranges("ip_range", range.spans(), range.keyed(), (FixedPartial) partial);
      case BucketAggregation.GeoDistance range ->
          new FixedBuckets(this, node)
              .ranges("geo_distance", range.spans(), range.keyed(), (FixedPartial) partial);
      case BucketAggregation.MultiTerms terms ->
          new TermBuckets(this, node, terms.order(), terms.thresholds(), terms.showError())
              .finish((TermsPartial) partial);
      case BucketAggregation.AutoDateHistogram histogram ->
          new AutoDateBuckets(this, node, histogram).finish((AutoDatePartial) partial);
      case BucketAggregation.Filters filters ->
          new FixedBuckets(this, node).filters(filters, (FixedPartial) partial);
      case BucketAggregation.Composite composite ->
          new CompositeBuckets(this, node, composite).finish((CompositePartial) partial);
      case BucketAggregation.AdjacencyMatrix matrix -> adjacency((KeyedPartial) partial, node);
      case BucketAggregation.GeoGrid grid -> grid(grid, node, (TermsPartial) partial);
      case BucketAggregation.RareTerms terms ->
          RareBuckets.finish(this, node, (RarePartial) partial);
      case BucketAggregation.SignificantTerms terms ->
          SignificantBuckets.finish(
              this, node, terms.heuristic(), terms.thresholds(), (SignificantPartial) partial);
      case BucketAggregation.SignificantText text ->
          SignificantBuckets.finish(
              this, node, text.heuristic(), text.thresholds(), (SignificantPartial) partial);
      case BucketAggregation.VariableWidthHistogram histogram ->
          ClusterBuckets.finish(this, node, histogram, (ClustersPartial) partial);
      case BucketAggregation.Sampler f -> single("sampler", node, partial);
      case BucketAggregation.DiversifiedSampler f -> single("sampler", node, partial);
      case BucketAggregation.Nested f -> single("nested", node, partial);
      case BucketAggregation.ReverseNested f -> single("reverse_nested", node, partial);
      case BucketAggregation.Filter f -> single("filter", node, partial);
      case BucketAggregation.Missing f -> single("missing", node, partial);
      case BucketAggregation.Global f -> single("global", node, partial);
    };
  }

  private Result adjacency(KeyedPartial partial, AggregationNode node) {
    limit.add(partial.groups().size());
    List<Result.Bucket> buckets = new ArrayList<>();
    partial
        .groups()
        .forEach((name, group) -> {
          Map<String, @Nullable Object> fields = new LinkedHashMap<>();
          fields.put("key", name);
          fields.put("doc_count", group.docCount());
          buckets.add(
              new Result.Bucket(
                  name, name, fields, group.docCount(), finish(node.children(), group.children())));
        });
    return new Result.Buckets("adjacency_matrix", Map.of(), buckets, false);
  }

  private Result grid(BucketAggregation.GeoGrid grid, AggregationNode node, TermsPartial partial) {
    TermSelection.Selected selected =
        TermSelection.select(
            partial, node.children(), BucketOrder.COUNT_DESCENDING, grid.size(), 1);
    limit.add(selected.entries().size());
    List<Result.Bucket> buckets = new ArrayList<>();
    for (Map.Entry<Object, TermsPartial.Bucket> entry : selected.entries()) {
      String name = GeoTiles.text(grid.grid(), (Long) entry.getKey());
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      fields.put("key", name);
      fields.put("doc_count", entry.getValue().docCount());
      buckets.add(
          new Result.Bucket(
              name,
              name,
              fields,
              entry.getValue().docCount(),
              finish(node.children(), entry.getValue().children())));
    }
    return new Result.Buckets(grid.type(), Map.of(), buckets, false);
  }

  private Result single(String type, AggregationNode node, Partial partial) {
    SinglePartial single = (SinglePartial) partial;
    return new Result.Single(type, single.docCount(), finish(node.children(), single.children()));
  }
}
