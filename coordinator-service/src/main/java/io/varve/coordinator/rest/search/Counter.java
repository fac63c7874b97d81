package io.varve.coordinator.rest.search;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.search.SearchReducer;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the documents that a search finds. */
public final class Counter {

  private final ClusterAccess cluster;
  private final SearchRouter router;
  private final InstantSource clock;

  public Counter(ClusterAccess cluster, SearchRouter router, InstantSource clock) {
    this.cluster = cluster;
    this.router = router;
    this.clock = clock;
  }

  record Counted(long count, List<ShardFailure> failures) {}

  /** All documents of the indices that a search sees. */
  public long count(List<IndexMetadata> indices) throws InterruptedException {
    SearchRequest all =
        SearchRequest.parse(new byte[0], Map.of("size", "0", "track_total_hits", "true"));
    return count(SearchTargets.of(indices.stream().map(SearchIndex::whole).toList()), all, null)
        .count();
  }

  Counted count(
      List<SearchRouter.Target> targets, SearchRequest search, @Nullable String preference)
      throws InterruptedException {
    ShardSearchRequest request = new ShardSearchRequest(search, clock.millis());
    SearchRouter.Found found =
        router.search(cluster.state(), targets, request, preference, SearchEndpoint.SHARD_TIMEOUT);
    SearchReducer.Reduced reduced = SearchReducer.reduce(search, found.answers());
    return new Counted(Math.max(0, reduced.total()), found.failures());
  }
}
