package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.partial.AutoDatePartial;
import io.varve.search.aggregation.partial.ClustersPartial;
import io.varve.search.aggregation.partial.CompositePartial;
import io.varve.search.aggregation.partial.FixedPartial;
import io.varve.search.aggregation.partial.HistogramPartial;
import io.varve.search.aggregation.partial.HitsPartial;
import io.varve.search.aggregation.partial.KeyedPartial;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.RarePartial;
import io.varve.search.aggregation.partial.SignificantPartial;
import io.varve.search.aggregation.partial.SinglePartial;
import io.varve.search.aggregation.partial.TermsPartial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Removes buckets from partial results after a merge.
 *
 * <p>{@link #lossless} removes only what can't be part of any response. {@link #ofShard} also
 * reduces terms to the first {@code shard_size}, with the resulting error bound, before a shard
 * returns its result. Slices of a shard return all terms, so that a shard's result does not depend
 * on how it was sliced.
 */
public final class Trimming {

  private final boolean ofShard;

  private Trimming(boolean ofShard) {
    this.ofShard = ofShard;
  }

  public static Partials ofShard(AggregationTree tree, Partials partials) {
    return new Trimming(true).trimmed(tree, partials);
  }

  /** Returns the same object when there is nothing to remove. */
  public static Partials lossless(AggregationTree tree, Partials partials) {
    return hasHits(tree) ? new Trimming(false).trimmed(tree, partials) : partials;
  }

  private static boolean hasHits(AggregationTree tree) {
    return tree.collected().stream()
        .anyMatch(node ->
            node.aggregation() instanceof MetricAggregation.TopHits || hasHits(node.children()));
  }

  private Partials trimmed(AggregationTree tree, Partials partials) {
    if (partials.list().isEmpty()) {
      return partials;
    }
    List<Partial> trimmed = new ArrayList<>(partials.list().size());
    for (int i = 0; i < partials.list().size(); i++) {
      trimmed.add(trimmed(tree.collected().get(i), partials.list().get(i)));
    }
    return new Partials(trimmed);
  }

  private Partial trimmed(AggregationNode node, Partial partial) {
    AggregationTree inner = node.children();
    return switch (partial) {
      case HitsPartial hits when node.aggregation() instanceof MetricAggregation.TopHits top ->
          BestHits.cut(hits, top.request());
      case TermsPartial terms -> terms(node, terms);
      case SignificantPartial terms -> significant(node, terms);
      case CompositePartial composite
          when node.aggregation() instanceof BucketAggregation.Composite request ->
          new CompositePartial(
              composite.formats(),
              groups(inner, CompositeBuckets.first(composite, request, request.size())));
      case ClustersPartial clusters
          when node.aggregation() instanceof BucketAggregation.VariableWidthHistogram request ->
          clusters(inner, ofShard ? clusters.reducedTo(request.shardSize()) : clusters);
      case RarePartial rare ->
          new RarePartial(
              rare.kind(), rare.format(), rare.most(), groups(inner, rare.rare()), rare.common());
      case SinglePartial single -> single(inner, single);
      case KeyedPartial keyed -> {
        Map<String, SinglePartial> groups = new TreeMap<>();
        keyed.groups().forEach((name, group) -> groups.put(name, single(inner, group)));
        yield new KeyedPartial(groups);
      }
      case FixedPartial fixed ->
          new FixedPartial(
              fixed.format(),
              fixed.groups().stream()
                  .map(group ->
                      new FixedPartial.Group(
                          group.from(), group.to(), single(inner, group.documents())))
                  .toList());
      case HistogramPartial histogram ->
          new HistogramPartial(
              histogram.format(),
              buckets(inner, histogram.buckets()),
              histogram.from(),
              histogram.to(),
              histogram.empty());
      case AutoDatePartial dates ->
          new AutoDatePartial(
              dates.format(), dates.level(), buckets(inner, dates.buckets()), dates.empty());
      default -> partial;
    };
  }

  private SinglePartial single(AggregationTree inner, SinglePartial single) {
    return new SinglePartial(single.docCount(), trimmed(inner, single.children()));
  }

  private Map<Object, SinglePartial> groups(
      AggregationTree inner, Map<Object, SinglePartial> groups) {
    Map<Object, SinglePartial> trimmed = HashMap.newHashMap(groups.size());
    groups.forEach((key, group) -> trimmed.put(key, single(inner, group)));
    return trimmed;
  }

  private List<HistogramPartial.Bucket> buckets(
      AggregationTree inner, List<HistogramPartial.Bucket> buckets) {
    return buckets.stream()
        .map(bucket ->
            new HistogramPartial.Bucket(
                bucket.key(), bucket.docCount(), trimmed(inner, bucket.children())))
        .toList();
  }

  private ClustersPartial clusters(AggregationTree inner, ClustersPartial clusters) {
    return new ClustersPartial(
        clusters.format(),
        clusters.clusters().stream()
            .map(cluster ->
                new ClustersPartial.Cluster(
                    cluster.min(),
                    cluster.max(),
                    cluster.sum(),
                    cluster.docCount(),
                    trimmed(inner, cluster.children())))
            .toList());
  }

  private TermsPartial terms(AggregationNode node, TermsPartial terms) {
    TermsPartial cut =
        ofShard
            ? switch (node.aggregation()) {
              case BucketAggregation.Terms request ->
                  cut(terms, node, request.order(), request.thresholds());
              case BucketAggregation.MultiTerms request ->
                  cut(terms, node, request.order(), request.thresholds());
              case BucketAggregation.GeoGrid grid ->
                  cut(
                      terms,
                      node,
                      BucketOrder.COUNT_DESCENDING,
                      new BucketAggregation.Thresholds(grid.size(), grid.shardSize(), 1, 1));
              default -> terms;
            }
            : terms;
    Map<Object, TermsPartial.Bucket> trimmed = HashMap.newHashMap(cut.buckets().size());
    cut.buckets()
        .forEach((key, bucket) ->
            trimmed.put(
                key,
                new TermsPartial.Bucket(
                    bucket.docCount(),
                    bucket.errorSeen(),
                    trimmed(node.children(), bucket.children()))));
    return new TermsPartial(
        cut.kind(), cut.formats(), trimmed, cut.others(), cut.error(), cut.parts());
  }

  private static TermsPartial cut(
      TermsPartial terms,
      AggregationNode node,
      BucketOrder order,
      BucketAggregation.Thresholds thresholds) {
    return TermSelection.cut(
        terms, node.children(), order, thresholds.shardSize(), thresholds.shardMinDocCount());
  }

  private SignificantPartial significant(AggregationNode node, SignificantPartial terms) {
    SignificantPartial cut =
        ofShard
            ? switch (node.aggregation()) {
              case BucketAggregation.SignificantTerms request ->
                  SignificantBuckets.cut(terms, request.heuristic(), request.thresholds());
              case BucketAggregation.SignificantText request ->
                  SignificantBuckets.cut(terms, request.heuristic(), request.thresholds());
              default -> terms;
            }
            : terms;
    Map<Object, SignificantPartial.Bucket> trimmed = HashMap.newHashMap(cut.buckets().size());
    cut.buckets()
        .forEach((key, bucket) ->
            trimmed.put(
                key,
                new SignificantPartial.Bucket(
                    bucket.docCount(),
                    bucket.background(),
                    trimmed(node.children(), bucket.children()))));
    return cut.with(trimmed);
  }
}
