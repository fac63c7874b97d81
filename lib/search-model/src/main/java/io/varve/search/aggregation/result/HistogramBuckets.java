package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Shown;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.Interval;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.HistogramPartial;
import io.varve.search.aggregation.partial.HistogramPartial.Bucket;
import io.varve.search.aggregation.rounding.Rounding;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The final reduce of histograms: adds empty buckets, omits those with few documents, and sorts
 * them.
 */
final class HistogramBuckets {

  private final Finisher finisher;
  private final AggregationNode node;
  private final Shown shown;

  HistogramBuckets(Finisher finisher, AggregationNode node, Shown shown) {
    this.finisher = finisher;
    this.node = node;
    this.shown = shown;
  }

  Result numbers(BucketAggregation.Histogram request, HistogramPartial partial) {
    UnaryOperator<Object> next =
        key -> {
          double index = Math.round((((Double) key) - request.offset()) / request.interval());
          return (index + 1) * request.interval() + request.offset();
        };
    return finish("histogram", partial, next);
  }

  Result dates(BucketAggregation.DateHistogram request, HistogramPartial partial) {
    Rounding rounding = rounding(request);
    return finish("date_histogram", partial, key -> rounding.next((Long) key));
  }

  static Rounding rounding(BucketAggregation.DateHistogram request) {
    ZoneId zone = request.source().zone() == null ? ZoneOffset.UTC : request.source().zone();
    return switch (request.interval()) {
      case Interval.Calendar(var unit) -> Rounding.calendar(unit, zone, request.offsetMillis());
      case Interval.Fixed(long millis) -> Rounding.fixed(millis, zone, request.offsetMillis());
    };
  }

  private Result finish(String type, HistogramPartial partial, UnaryOperator<Object> next) {
    List<Bucket> buckets =
        shown.minDocCount() == 0
            ? filled(partial, next)
            : partial.buckets().stream()
                .filter(bucket -> bucket.docCount() >= shown.minDocCount())
                .toList();
    finisher.limit().add(shown.minDocCount() == 0 ? 0 : buckets.size());
    List<Bucket> ordered = ordered(buckets);
    List<Result.Bucket> results = new ArrayList<>(ordered.size());
    ordered.forEach(bucket -> results.add(result(partial.format(), bucket)));
    return new Result.Buckets(type, Map.of(), results, shown.keyed());
  }

  private List<Bucket> filled(HistogramPartial partial, UnaryOperator<Object> next) {
    List<Bucket> all = new ArrayList<>();
    Object at = partial.from();
    for (Bucket bucket : partial.buckets()) {
      if (at != null) {
        at = fill(at, bucket.key(), false, partial, next, all);
      }
      finisher.limit().add(1);
      all.add(bucket);
      at = next.apply(bucket.key());
    }
    Object to = partial.to();
    Object start = at == null ? to : at;
    if (to != null && start != null) {
      fill(start, to, true, partial, next, all);
    }
    return all;
  }

  /** Adds empty buckets up to a key; returns the key that follows the last one added. */
  private Object fill(
      Object from,
      Object until,
      boolean inclusive,
      HistogramPartial partial,
      UnaryOperator<Object> next,
      List<Bucket> into) {
    Object at = from;
    // isBefore has a tolerance of half an interval, because keys are doubles that may differ by
    // rounding.
    while (inclusive ? compare(at, until) <= 0 : isBefore(at, until, next)) {
      finisher.limit().add(1);
      into.add(new Bucket(at, 0, partial.empty()));
      Object following = next.apply(at);
      if (compare(following, at) <= 0) {
        break;
      }
      at = following;
    }
    return at;
  }

  private static boolean isBefore(Object at, Object until, UnaryOperator<Object> next) {
    if (at instanceof Long) {
      return compare(at, until) < 0;
    }
    double width = ((Number) next.apply(at)).doubleValue() - ((Number) at).doubleValue();
    return ((Number) until).doubleValue() - ((Number) at).doubleValue() > width / 2;
  }

  private static int compare(Object a, Object b) {
    return a instanceof Long first && b instanceof Long second
        ? Long.compare(first, second)
        : Double.compare(((Number) a).doubleValue(), ((Number) b).doubleValue());
  }

  private List<Bucket> ordered(List<Bucket> buckets) {
    Comparator<Bucket> comparator = null;
    for (BucketOrder.Key key : shown.order().keys()) {
      Comparator<Bucket> one =
          switch (key) {
            case BucketOrder.Key.Count(boolean down) ->
                down
                    ? Comparator.comparingLong(Bucket::docCount).reversed()
                    : Comparator.comparingLong(Bucket::docCount);
            case BucketOrder.Key.Own(boolean down) ->
                (a, b) -> down ? compare(b.key(), a.key()) : compare(a.key(), b.key());
            case BucketOrder.Key.Path(String path, boolean down) ->
                (a, b) ->
                    TermSelection.compareValues(
                        OrderValues.value(node.children(), a.children(), path),
                        OrderValues.value(node.children(), b.children(), path),
                        down);
          };
      comparator = comparator == null ? one : comparator.thenComparing(one);
    }
    if (comparator == null || shown.order().equals(BucketOrder.KEY_ASCENDING)) {
      return buckets;
    }
    List<Bucket> sorted = new ArrayList<>(buckets);
    sorted.sort(comparator);
    return sorted;
  }

  private Result.Bucket result(ValueFormat format, Bucket bucket) {
    return result(finisher, node, format, bucket);
  }

  static Result.Bucket result(
      Finisher finisher, AggregationNode node, ValueFormat format, Bucket bucket) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    String text = format.keyText(bucket.key());
    if (format.isShown()) {
      fields.put("key_as_string", text);
    }
    fields.put("key", bucket.key());
    fields.put("doc_count", bucket.docCount());
    return new Result.Bucket(
        bucket.key(),
        text,
        fields,
        bucket.docCount(),
        finisher.finish(node.children(), bucket.children()));
  }
}
