package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation.AutoDateHistogram;
import io.varve.search.aggregation.partial.AutoDatePartial;
import io.varve.search.aggregation.partial.HistogramPartial.Bucket;
import io.varve.search.aggregation.rounding.AutoLevels;
import io.varve.search.aggregation.rounding.Rounding;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The final reduce of {@code auto_date_histogram}: rounds to the coarsest level, adds empty buckets
 * and applies a multiple.
 */
final class AutoDateBuckets {

  private final Finisher finisher;
  private final AggregationNode node;
  private final AutoLevels levels;

  AutoDateBuckets(Finisher finisher, AggregationNode node, AutoDateHistogram request) {
    this.finisher = finisher;
    this.node = node;
    this.levels = levels(request);
  }

  static AutoLevels levels(AutoDateHistogram request) {
    return new AutoLevels(
        request.buckets(),
        request.minimumInterval(),
        request.source().zone() == null ? ZoneOffset.UTC : request.source().zone());
  }

  Result finish(AutoDatePartial partial) {
    int level = partial.level();
    List<Bucket> buckets = AutoDatePartial.rounded(partial.buckets(), levels, level);
    while (levels.isTooFine(level, buckets.size())) {
      level++;
      buckets = AutoDatePartial.rounded(buckets, levels, level);
    }
    if (!buckets.isEmpty()) {
      level =
          levels.fitting((Long) buckets.getFirst().key(), (Long) buckets.getLast().key(), level);
      buckets = filled(AutoDatePartial.rounded(buckets, levels, level), partial, level);
    }
    int multiple = levels.multiple(level, buckets.size());
    List<Bucket> joined = joined(buckets, multiple);
    finisher.limit().add(joined.size());
    return new Result.Buckets(
        "auto_date_histogram",
        Map.of(),
        joined.stream()
            .map(bucket -> HistogramBuckets.result(finisher, node, partial.format(), bucket))
            .toList(),
        false,
        Map.of("interval", multiple + levels.get(level).text()));
  }

  private List<Bucket> filled(List<Bucket> buckets, AutoDatePartial partial, int level) {
    Rounding rounding = levels.get(level).rounding();
    List<Bucket> all = new ArrayList<>();
    for (Bucket bucket : buckets) {
      if (!all.isEmpty()) {
        long next = rounding.next((Long) all.getLast().key());
        while (next < (Long) bucket.key()) {
          all.add(new Bucket(next, 0, partial.empty()));
          next = rounding.next(next);
        }
      }
      all.add(bucket);
    }
    return all;
  }

  private static List<Bucket> joined(List<Bucket> buckets, int multiple) {
    if (multiple == 1) {
      return buckets;
    }
    List<Bucket> joined = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      Bucket bucket = buckets.get(i);
      if (i % multiple == 0) {
        joined.add(bucket);
        continue;
      }
      Bucket into = joined.getLast();
      joined.set(
          joined.size() - 1,
          new Bucket(
              into.key(),
              into.docCount() + bucket.docCount(),
              into.children().merge(bucket.children())));
    }
    return joined;
  }
}
