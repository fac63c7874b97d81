package io.varve.coordinator.rest.search;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import java.util.List;
import java.util.Map;

/** Counts the documents that match a search. */
public final class Counter {

  private final Searches searches;

  public Counter(Searches searches) {
    this.searches = searches;
  }

  record Counted(
      long count,
      boolean terminatedEarly,
      int shards,
      List<ShardFailure> failures,
      Map<String, Map<String, Long>> seqNos) {}

  /** Counts all documents of the indices. */
  public long count(List<IndexMetadata> indices) throws InterruptedException {
    if (indices.isEmpty()) {
      return 0;
    }
    SearchRequest all =
        SearchRequest.parse(new byte[0], Map.of("size", "0", "track_total_hits", "true"));
    String names = String.join(",", indices.stream().map(IndexMetadata::name).toList());
    SearchOptions.Where where =
        new SearchOptions.Where(names, IndexOptions.LENIENT, null, ShardPreference.NONE);
    return count(usual(where), all).count();
  }

  /** Whether the index has a matching document. */
  public boolean hasAny(IndexMetadata index, SearchRequest search) throws InterruptedException {
    SearchOptions.Where where =
        new SearchOptions.Where(index.name(), IndexOptions.LENIENT, null, ShardPreference.NONE);
    return count(usual(where), search).count() > 0;
  }

  private static SearchOptions usual(SearchOptions.Where where) {
    return new SearchOptions(where, SearchOptions.Effort.USUAL, null, false);
  }

  Counted count(SearchOptions searchOptions, SearchRequest search) throws InterruptedException {
    SearchAnswer answer = searches.search(search, searchOptions);
    return new Counted(
        Math.max(0, answer.reduced().total()),
        answer.reduced().terminatedEarly(),
        answer.shards().total(),
        answer.shards().failures(),
        answer.shards().visibleSeqNos());
  }
}
