package io.varve.coordinator.rest.search;

import io.varve.client.consistency.ReadPromise;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import io.varve.search.hits.IndexHit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all hits of a search page by page, for features of the coordinator that process every hit.
 * All pages show the state at the time of the first page.
 */
public final class HitPages implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HitPages.class);

  private final ClusterAccess cluster;
  private final Searches searches;
  private final Task task;
  private final SearchRequest request;
  private final SearchOptions searchOptions;
  private final String keepAlive;
  private final long keepAliveMillis;
  private @Nullable String scrollId;

  /** A page of hits; the last page is empty. */
  public record Page(
      long total, List<IndexHit> hits, boolean timedOut, List<ShardFailure> failures) {}

  /** Opens streams of pages. */
  public static final class Source {
    private final ClusterAccess cluster;
    private final Searches searches;

    Source(ClusterAccess cluster, Searches searches) {
      this.cluster = cluster;
      this.searches = searches;
    }

    /**
     * Creates a stream of pages. The search starts when the first page is read.
     *
     * @param keepAlive the longest time between two pages
     * @param promise the read promise that the first page must keep
     */
    public HitPages of(
        SearchRequest request,
        SearchOptions.Where where,
        String keepAlive,
        Task task,
        ReadPromise promise) {
      SearchOptions searchOptions =
          new SearchOptions(
                  where, SearchOptions.Effort.USUAL, SearchOptions.Scrolling.of(keepAlive), false)
              .promising(new SearchOptions.Promised(promise, false));
      return new HitPages(cluster, searches, request, searchOptions, keepAlive, task);
    }

    /** Among the indices that the expression resolves to, returns the smallest number of shards. */
    public int fewestShards(SearchOptions.Where where) {
      return SearchTargets.indices(cluster.state(), where).stream()
          .mapToInt(found -> found.index().shards().size())
          .min()
          .orElse(1);
    }
  }

  private HitPages(
      ClusterAccess cluster,
      Searches searches,
      SearchRequest request,
      SearchOptions searchOptions,
      String keepAlive,
      Task task) {
    this.cluster = cluster;
    this.searches = searches;
    this.task = task;
    this.searchOptions = searchOptions;
    this.request = Searches.checked(request, searchOptions);
    this.keepAlive = keepAlive;
    this.keepAliveMillis = KeepAlive.ofScroll(cluster.state(), keepAlive);
  }

  /**
   * @param pauseMillis the time for which the reader may pause before it requests the next page; it
   *     extends the scroll's keep-alive
   */
  public Page next(long pauseMillis) throws InterruptedException {
    String id = scrollId;
    SearchAnswer answer =
        id == null
            ? searches.search(
                request,
                searchOptions.scrolling(new SearchOptions.Scrolling(keepAlive, pauseMillis)),
                task)
            : searches
                .scrolls()
                .next(
                    cluster.state(),
                    id,
                    keepAliveMillis + pauseMillis,
                    SearchBudget.unlimited(task));
    scrollId = String.valueOf(answer.head().get("_scroll_id"));
    return new Page(
        Math.max(0, answer.reduced().total()),
        answer.reduced().hits(),
        answer.reduced().timedOut(),
        answer.shards().failures());
  }

  @Override
  public void close() {
    String id = scrollId;
    if (id == null) {
      return;
    }
    ClusterState state = cluster.state();
    try {
      searches.scrolls().clear(state, List.of(Scrolls.parse(id)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.debug("interrupted; the scroll stays open until it expires");
    }
  }
}
