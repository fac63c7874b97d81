package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.Heuristic;
import io.varve.search.aggregation.format.KeyOrder;
import io.varve.search.aggregation.partial.SignificantPartial;
import io.varve.search.aggregation.partial.SignificantPartial.Bucket;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Scores terms by their significance, on a shard and in the final reduce. */
public final class SignificantBuckets {

  private record Scored(Object key, Bucket bucket, double score) {}

  private SignificantBuckets() {}

  /** The most significant terms of a shard. */
  public static SignificantPartial cut(
      SignificantPartial all, Heuristic heuristic, Thresholds thresholds) {
    Map<Object, Bucket> kept = new HashMap<>();
    for (Scored scored :
        best(
            all,
            heuristic,
            thresholds.shardSize(),
            Math.max(1, thresholds.shardMinDocCount()),
            Double.NEGATIVE_INFINITY)) {
      kept.put(scored.key, scored.bucket);
    }
    return all.with(kept);
  }

  private static List<Scored> best(
      SignificantPartial all, Heuristic heuristic, int most, long minDocs, double above) {
    Comparator<Scored> order =
        Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparing(Scored::key, KeyOrder.of(all.format()));
    PriorityQueue<Scored> worstFirst = new PriorityQueue<>(order.reversed());
    all.buckets()
        .forEach((key, bucket) -> {
          if (bucket.docCount() < minDocs) {
            return;
          }
          double score =
              heuristic.score(
                  (double) bucket.docCount(),
                  (double) all.documents(),
                  (double) bucket.background(),
                  (double) all.background());
          if (score > above) {
            worstFirst.add(new Scored(key, bucket, score));
            if (worstFirst.size() > most) {
              worstFirst.poll();
            }
          }
        });
    List<Scored> best = new ArrayList<>(worstFirst);
    best.sort(order);
    return best;
  }

  static Result finish(
      Finisher finisher,
      AggregationNode node,
      Heuristic heuristic,
      Thresholds thresholds,
      SignificantPartial partial) {
    List<Scored> best = best(partial, heuristic, thresholds.size(), thresholds.minDocCount(), 0);
    finisher.limit().add(best.size());
    List<Result.Bucket> buckets = new ArrayList<>(best.size());
    for (Scored scored : best) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      String name = TermBuckets.key(partial.kind(), List.of(partial.format()), scored.key, fields);
      fields.put("doc_count", scored.bucket.docCount());
      fields.put("score", scored.score);
      fields.put("bg_count", scored.bucket.background());
      buckets.add(
          new Result.Bucket(
              scored.key,
              name,
              fields,
              scored.bucket.docCount(),
              finisher.finish(node.children(), scored.bucket.children())));
    }
    Map<String, @Nullable Object> head = new LinkedHashMap<>();
    head.put("doc_count", partial.documents());
    head.put("bg_count", partial.background());
    return new Result.Buckets(typeName(partial.kind()), head, buckets, false);
  }

  private static String typeName(Kind kind) {
    return switch (kind) {
      case UNMAPPED -> "umsigterms";
      case BYTES, SEVERAL -> "sigsterms";
      default -> "siglterms";
    };
  }
}
