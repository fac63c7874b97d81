package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.search.Ranking.IndexBoost;
import io.varve.search.SearchRequest;
import io.varve.search.SearchStatistics;
import io.varve.search.ShardSearchContext;
import io.varve.search.ShardSearchContext.DocumentKey;
import io.varve.search.query.CompoundQuery.TermsLookup;
import io.varve.search.query.FullTextQuery.MoreLikeThis;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the data that every shard needs for a search: index boosts, documents that the query
 * refers to, limits.
 */
final class SearchGathering {

  /** Reads the source of a document to which the query refers; null if it does not exist. */
  @FunctionalInterface
  interface Sources {
    byte @Nullable [] of(DocumentKey key) throws InterruptedException;
  }

  private final Sources sources;

  SearchGathering(Sources sources) {
    this.sources = sources;
  }

  ShardSearchContext of(
      ClusterState state, SearchRequest request, IndexOptions options, List<IndexMetadata> indices)
      throws InterruptedException {
    String expensive = ClusterSettings.value(state, ClusterSettings.ALLOW_EXPENSIVE_QUERIES);
    String clauses = ClusterSettings.value(state, ClusterSettings.MAX_CLAUSE_COUNT);
    return new ShardSearchContext(
        boosts(state, request, options),
        documents(request, indices),
        SearchStatistics.NONE,
        !"false".equals(expensive),
        clauses == null ? ShardSearchContext.DEFAULT_MAX_CLAUSES : Integer.parseInt(clauses));
  }

  /** Resolves index boosts. If several entries match an index, the first entry applies. */
  private static Map<String, Float> boosts(
      ClusterState state, SearchRequest request, IndexOptions options) {
    Map<String, Float> boosts = new LinkedHashMap<>();
    for (IndexBoost boost : request.ranking().indexBoosts()) {
      for (SearchIndex found : IndexResolver.search(state, boost.index(), options, null)) {
        boosts.putIfAbsent(found.index().name(), boost.boost());
      }
    }
    return boosts;
  }

  private Map<DocumentKey, byte[]> documents(SearchRequest request, List<IndexMetadata> indices)
      throws InterruptedException {
    Set<DocumentKey> wanted = new LinkedHashSet<>();
    request.forEachQuery(query -> {
      if (query instanceof TermsLookup lookup) {
        wanted.add(new DocumentKey(lookup.index(), lookup.id(), lookup.routing()));
      } else if (query instanceof MoreLikeThis like) {
        like.likeDocuments()
            .forEach(liked -> {
              if (liked.index() != null) {
                wanted.add(new DocumentKey(liked.index(), liked.id(), liked.routing()));
              } else {
                indices.forEach(index ->
                    wanted.add(new DocumentKey(index.name(), liked.id(), liked.routing())));
              }
            });
      }
    });
    Map<DocumentKey, byte[]> documents = new LinkedHashMap<>();
    for (DocumentKey key : wanted) {
      byte[] source = sources.of(key);
      if (source != null) {
        documents.put(key, source);
      }
    }
    return documents;
  }
}
