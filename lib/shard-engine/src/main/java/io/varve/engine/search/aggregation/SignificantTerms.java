package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.Heuristic;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.SignificantPartial;
import io.varve.search.aggregation.partial.SignificantPartial.Bucket;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import io.varve.search.aggregation.result.SignificantBuckets;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Returns the most significant terms. The background count of a term is looked up once for all
 * buckets.
 */
final class SignificantTerms implements TermsOutput {

  private static final long NAME_BYTES = 96;

  private final Heuristic heuristic;
  private final Thresholds thresholds;
  private final BackgroundCounts background;
  private final MemoryAccount memory;
  private final Map<Object, Long> known = new HashMap<>();
  // Documents per parent bucket.
  private final LongCells documents;

  SignificantTerms(
      Heuristic heuristic,
      Thresholds thresholds,
      BackgroundCounts background,
      MemoryAccount memory) {
    this.heuristic = heuristic;
    this.thresholds = thresholds;
    this.background = background;
    this.memory = memory;
    this.documents = new LongCells(memory);
  }

  /** Counts a visited document. */
  void looked(int owner) {
    documents.add(owner, 1);
  }

  SignificantPartial counted(SignificantPartial found, int owner) {
    return new SignificantPartial(
        found.kind(), found.format(), documents.get(owner), found.background(), found.buckets());
  }

  @Override
  public SignificantPartial of(FoundTerms terms, int owner) throws IOException {
    Map<Object, Bucket> counted = new HashMap<>();
    Map<Object, Integer> numbers = new HashMap<>();
    long least = Math.max(1, thresholds.shardMinDocCount());
    for (int bucket : terms.of(owner)) {
      long count = terms.counts().get(bucket);
      if (count >= least) {
        memory.charge(NAME_BYTES);
        Object key = terms.key(bucket);
        counted.put(key, new Bucket(count, inBackground(key), Partials.NONE));
        numbers.put(key, bucket);
      }
    }
    SignificantPartial all =
        new SignificantPartial(
            terms.kind(), terms.format(), documents.get(owner), background.documents(), counted);
    SignificantPartial best = SignificantBuckets.cut(all, heuristic, thresholds);
    Map<Object, Bucket> built = new HashMap<>();
    for (Map.Entry<Object, Bucket> entry : best.buckets().entrySet()) {
      Integer bucket = numbers.get(entry.getKey());
      if (bucket != null) {
        built.put(
            entry.getKey(),
            new Bucket(
                entry.getValue().docCount(),
                entry.getValue().background(),
                terms.children(bucket)));
      }
    }
    return best.with(built);
  }

  private long inBackground(Object key) throws IOException {
    Long before = known.get(key);
    if (before == null) {
      before = background.count(key);
      known.put(key, before);
    }
    return before;
  }

  @Override
  public SignificantPartial nothing(Kind kind, ValueFormat format) {
    return new SignificantPartial(kind, format, 0, background.documents(), Map.of());
  }
}
