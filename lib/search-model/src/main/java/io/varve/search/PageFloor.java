package io.varve.search;

import io.varve.search.hits.ShardHit;
import io.varve.search.hits.SortValueOrder;
import io.varve.search.query.SortKey;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * While the shards of a sorted search answer one after the other: what the last hit of the page is
 * by now, and so which shards can't have a hit on it any more.
 *
 * <pre>
 *   page full, hits counted as far as they are wanted, best value of a shard behind the last hit's
 *     -> nothing that the shard has would be shown or counted
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
    // The worst first: it goes when a better one comes.
    this.best = new PriorityQueue<>((a, b) -> SortValueOrder.compare(key, b, a));
  }

  /** Null when all shards have something to say, whatever the others say. */
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

  /** Whether what is sorted by first is a field's values as they are, none of them at the end. */
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

  /** A shard has answered. */
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

  /** Whether a shard with these values has nothing to add. */
  public synchronized boolean isBehind(CanMatch.Bounds bounds) {
    boolean countedEnough = countUpTo == SearchRequest.NO_HITS || !exact || counted > countUpTo;
    Object last = best.peek();
    return countedEnough
        && last != null
        && best.size() >= page
        && SortValueOrder.compare(key, bounds.best(key.descending()), last) > 0;
  }

  /** The shards that are likely to have the best hits come first. */
  public int compare(CanMatch.@Nullable Bounds a, CanMatch.@Nullable Bounds b) {
    if (a == null || b == null) {
      return a == null ? b == null ? 0 : 1 : -1;
    }
    return SortValueOrder.compare(key, a.best(key.descending()), b.best(key.descending()));
  }
}
