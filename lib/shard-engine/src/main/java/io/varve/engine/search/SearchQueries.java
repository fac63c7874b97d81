package io.varve.engine.search;

import io.varve.engine.fields.NestedDocuments;
import io.varve.search.ShardSearchRequest;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * The Lucene queries of one search.
 *
 * @param matching the root documents that match, which are aggregated
 * @param hits those of them that pass the post filter
 */
record SearchQueries(Query matching, Query hits) {

  /**
   * @param part restricts the search to a part of the shard; {@code null} for all of it
   */
  static SearchQueries of(
      IndexView index,
      ShardSearchRequest request,
      @Nullable Query part,
      QueryTranslator translator) {
    Query query = boosted(index, request, translator.translate(request.query()));
    Query matching = within(part, roots(index, query));
    io.varve.search.query.Query postFilter = request.search().postFilter();
    Query hits = postFilter == null ? matching : within(translator.translate(postFilter), matching);
    return new SearchQueries(matching, hits);
  }

  private static Query boosted(IndexView index, ShardSearchRequest request, Query query) {
    Float boost = request.context().indexBoosts().get(index.name());
    return boost == null || boost == 1 ? query : new BoostQuery(query, boost);
  }

  private static Query roots(IndexView index, Query query) {
    return NestedDocuments.mayBeIn(index.mapping())
        ? within(NestedDocuments.roots(), query)
        : query;
  }

  private static Query within(@Nullable Query filter, Query query) {
    return filter == null
        ? query
        : new BooleanQuery.Builder()
            .add(query, BooleanClause.Occur.MUST)
            .add(filter, BooleanClause.Occur.FILTER)
            .build();
  }
}
