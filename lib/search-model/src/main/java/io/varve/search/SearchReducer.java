package io.varve.search;

import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.aggregation.result.BucketLimit;
import io.varve.search.aggregation.result.Results;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.SearchHits;
import io.varve.search.hits.ShardHit;
import io.varve.search.hits.SortValueOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges the results of the shards into one response: sorts hits by sort values or score, with ties
 * in the order of the shards; selects the page; adds up the totals.
 */
public final class SearchReducer {

  /** The result of a shard. A list of these is in the order of the shards. */
  public record ShardAnswer(String index, int shard, String node, ShardSearchResult result) {

    public ShardAnswer(String index, int shard, ShardSearchResult result) {
      this(index, shard, "", result);
    }
  }

  /**
   * The merged result.
   *
   * @param timedOut some shard did not answer in time or stopped at the timeout
   * @param aggregations null when the request has none
   */
  public record Reduced(
      SearchHits found, boolean timedOut, boolean terminatedEarly, @Nullable Results aggregations) {

    public long total() {
      return found.total();
    }

    public boolean exact() {
      return found.exact();
    }

    public float maxScore() {
      return found.maxScore();
    }

    public List<IndexHit> hits() {
      return found.hits();
    }

    public Reduced late() {
      return new Reduced(found, true, terminatedEarly, aggregations);
    }

    public Reduced withHits(List<IndexHit> newHits) {
      SearchHits newFound = new SearchHits(found.total(), found.exact(), found.maxScore(), newHits);
      return new Reduced(newFound, timedOut, terminatedEarly, aggregations);
    }

    public Reduced aggregated(@Nullable Results newAggregations) {
      return new Reduced(found, timedOut, terminatedEarly, newAggregations);
    }
  }

  private static final class Cursor {
    final ShardAnswer answer;
    final int order;
    int position;

    Cursor(ShardAnswer answer, int order) {
      this.answer = answer;
      this.order = order;
    }

    ShardHit hit() {
      return answer.result.hits().get(position);
    }
  }

  private SearchReducer() {}

  public static Reduced reduce(SearchRequest request, List<ShardAnswer> answers) {
    return reduce(request, answers, BucketLimit.DEFAULT);
  }

  /**
   * @param maxBuckets a response with more buckets is refused
   */
  public static Reduced reduce(SearchRequest request, List<ShardAnswer> answers, int maxBuckets) {
    Results aggregations = aggregations(request, answers, maxBuckets);
    return reduceHits(request, answers).aggregated(aggregations);
  }

  /**
   * Merges hits; the aggregations have already been merged as they arrived.
   *
   * @param merged null when nothing was aggregated
   */
  public static Reduced reduce(
      SearchRequest request,
      List<ShardAnswer> answers,
      @Nullable AggregationReducer merged,
      int maxBuckets) {
    return reduceHits(request, answers)
        .aggregated(merged == null ? null : merged.finish(maxBuckets));
  }

  private static @Nullable Results aggregations(
      SearchRequest request, List<ShardAnswer> answers, int maxBuckets) {
    if (request.aggregations().isEmpty()) {
      return null;
    }
    AggregationReducer reducer = new AggregationReducer(request.aggregations().tree());
    answers.forEach(answer -> reducer.add(answer.result.aggregations()));
    return reducer.finish(maxBuckets);
  }

  private static Reduced reduceHits(SearchRequest request, List<ShardAnswer> answers) {
    long total = 0;
    boolean exact = true;
    float maxScore = Float.NaN;
    boolean timedOut = false;
    boolean terminatedEarly = false;
    for (ShardAnswer answer : answers) {
      ShardSearchResult result = answer.result;
      total += Math.max(0, result.total());
      exact &= result.exact();
      maxScore =
          Float.isNaN(maxScore) ? result.maxScore() : maxOrFirst(maxScore, result.maxScore());
      timedOut |= result.cut() == Cut.TIME;
      terminatedEarly |= result.cut() == Cut.TERMINATE_AFTER;
    }
    int limit = request.trackTotalHitsUpTo();
    if (limit == SearchRequest.NO_HITS) {
      total = ShardSearchResult.NOT_COUNTED;
      exact = false;
    } else if (total > limit && limit != SearchRequest.ALL_HITS) {
      total = limit;
      exact = false;
    }
    SearchHits found = new SearchHits(total, exact, maxScore, page(request, answers));
    return new Reduced(found, timedOut, terminatedEarly, null);
  }

  private static float maxOrFirst(float first, float second) {
    return Float.isNaN(second) ? first : Math.max(first, second);
  }

  private static List<IndexHit> page(SearchRequest request, List<ShardAnswer> answers) {
    PriorityQueue<Cursor> next = new PriorityQueue<>(Math.max(1, answers.size()), order(request));
    for (int i = 0; i < answers.size(); i++) {
      if (!answers.get(i).result.hits().isEmpty()) {
        next.add(new Cursor(answers.get(i), i));
      }
    }
    long end = (long) request.page().from() + request.page().size();
    boolean grouped = request.ranking().collapse() != null;
    Set<@Nullable Object> groups = new HashSet<>();
    List<IndexHit> hits = new ArrayList<>();
    for (long rank = 0; rank < end; ) {
      Cursor first = next.poll();
      if (first == null) {
        break;
      }
      // An earlier shard already supplied the best hit of this group.
      if (!grouped || groups.add(first.hit().extras().group())) {
        if (rank >= request.page().from()) {
          ShardAnswer answer = first.answer;
          hits.add(new IndexHit(answer.index, answer.shard, answer.node, first.hit()));
        }
        rank++;
      }
      first.position++;
      if (first.position < first.answer.result.hits().size()) {
        next.add(first);
      }
    }
    return hits;
  }

  private static Comparator<Cursor> order(SearchRequest request) {
    Comparator<Cursor> byShard = Comparator.comparingInt(cursor -> cursor.order);
    if (request.page().searchAfter() == null && request.sortedByScore()) {
      return Comparator.<Cursor>comparingDouble(cursor -> -cursor.hit().score())
          .thenComparing(byShard);
    }
    SortValueOrder values = new SortValueOrder(request.sort());
    return Comparator.<Cursor, ShardHit>comparing(
            Cursor::hit, (a, b) -> values.compare(a.sortValues(), b.sortValues()))
        .thenComparing(byShard);
  }
}
