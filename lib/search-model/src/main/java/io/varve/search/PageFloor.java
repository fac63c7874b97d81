package io.varve.search;

import io.varve.search.hits.ShardHit;
import io.varve.search.hits.SortValueOrder;
import io.varve.search.query.SortKey;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the last hit of the page while the results of a sorted search arrive, and determines which
 * of the remaining shards can no longer contribute to the page.
 *
 * <pre>
 *   page full, enough hits counted, best value of a shard sorts after the last hit of the page
 *     -> the shard can be skipped
 * </pre>
 */
public final class PageFloor {

  private final SortKey key;
  private final int page;
  private final int countUpTo;
  private final PriorityQueue<Object> best;
  private long counted;
  private boolean exact = true;

  private PageFloor(SearchRequest request, SortKey key) {
    this.key = key;
    this.page = request.page().from() + request.page().size();
    this.countUpTo = request.trackTotalHitsUpTo();
    // The head of the queue is the worst value, which a better one replaces.
    this.best = new PriorityQueue<>((a, b) -> SortValueOrder.compare(key, b, a));
  }

  /** Null when no shard may be skipped. */
  public static @Nullable PageFloor of(SearchRequest request) {
    boolean able =
        sortsPlainly(request)
            && request.page().size() > 0
            && request.trackTotalHitsUpTo() != SearchRequest.ALL_HITS
            && request.aggregations().isEmpty()
            && request.ranking().collapse() == null
            && request.ranking().rescores().isEmpty()
            && !request.ranking().profile();
    return able ? new PageFloor(request, request.sort().getFirst()) : null;
  }

  /** Whether the first sort key is the plain value of a field, with missing values last. */
  public static boolean sortsPlainly(SearchRequest request) {
    if (request.sort().isEmpty()) {
      return false;
    }
    SortKey first = request.sort().getFirst();
    boolean one =
        first.mode() == null
            || first.mode() == SortKey.Mode.MIN
            || first.mode() == SortKey.Mode.MAX;
    return first.kind().equals(SortKey.Kind.PLAIN)
        && one
        && !first.field().startsWith("_")
        && first.missing().equals(SortKey.MISSING_LAST);
  }

  /** Adds the result of a shard. */
  public synchronized void add(ShardSearchResult result) {
    counted += Math.max(0, result.total());
    exact &= result.exact();
    for (ShardHit hit : result.hits()) {
      Object value = hit.sortValues().getFirst();
      if (value instanceof Number) {
        best.add(value);
        if (best.size() > page) {
          best.poll();
        }
      }
    }
  }

  /** Whether a shard with values in these bounds can neither change the page nor the count. */
  public synchronized boolean isBehind(CanMatch.Bounds bounds) {
    boolean countedEnough = countUpTo == SearchRequest.NO_HITS || !exact || counted > countUpTo;
    Object last = best.peek();
    return countedEnough
        && last != null
        && best.size() >= page
        && SortValueOrder.compare(key, bounds.best(key.descending()), last) > 0;
  }

  /** Orders shards so that those likely to have the best hits come first. */
  public int compare(CanMatch.@Nullable Bounds a, CanMatch.@Nullable Bounds b) {
    if (a == null || b == null) {
      return a == null ? b == null ? 0 : 1 : -1;
    }
    return SortValueOrder.compare(key, a.best(key.descending()), b.best(key.descending()));
  }
}
