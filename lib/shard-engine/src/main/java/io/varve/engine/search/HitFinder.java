package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.PageFloor;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.mapping.ValueException;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;

/** Finds the best hits of one shard in the requested order. */
final class HitFinder {

  /** Hits in Lucene's order, the maximum score, and whether and why documents were skipped. */
  record Found(TopDocs top, float maxScore, Cut cut) {}

  private final IndexSearcher searcher;
  private final ShardSearchRequest request;
  private final SearchRequest search;
  private final List<TranslatedKey> keys;
  private final @Nullable Grouping grouping;
  private final Rescoring rescoring;

  HitFinder(
      IndexSearcher searcher,
      ShardSearchRequest request,
      List<TranslatedKey> keys,
      @Nullable Grouping grouping,
      Rescoring rescoring) {
    this.searcher = searcher;
    this.request = request;
    this.search = request.search();
    this.keys = keys;
    this.grouping = grouping;
    this.rescoring = rescoring;
  }

  boolean byScore() {
    return search.page().searchAfter() == null && search.sortedByScore();
  }

  /**
   * @param last the last hit of the previous page, or null
   */
  Found find(Query query, @Nullable ScoreDoc last) throws IOException {
    SearchRequest.Limits limits = search.limits();
    int most = Math.max(1, searcher.getIndexReader().maxDoc());
    int wanted = Math.min(Math.max(request.hits(), rescoring.widestWindow()), most);
    if (request.hits() == 0 && limits.minScore() == null && limits.terminateAfter() == 0) {
      return counted(query);
    }
    int hits = Math.max(1, wanted);
    if (grouping != null) {
      return grouped(query, grouping, hits);
    }
    return byScore() ? scored(query, hits, last) : sorted(query, hits, last);
  }

  private Found counted(Query query) throws IOException {
    int limit = search.trackTotalHitsUpTo();
    long count = limit == SearchRequest.NO_HITS ? 0 : HitCounter.count(searcher, query, limit);
    TotalHits total = new TotalHits(count, TotalHits.Relation.EQUAL_TO);
    return new Found(new TopDocs(total, new ScoreDoc[0]), Float.NaN, Cut.NOTHING);
  }

  private Found scored(Query query, int hits, @Nullable ScoreDoc last) throws IOException {
    Found found = collected(query, new TopScoreDocCollectorManager(hits, last, threshold(last)));
    TopDocs top = rescoring.isEmpty() ? found.top : rescoring.apply(searcher, found.top);
    ScoreDoc[] documents = top.scoreDocs;
    float best =
        documents.length == 0 || search.page().size() == 0 ? Float.NaN : documents[0].score;
    return new Found(top, best, found.cut);
  }

  private Sort sort() {
    return keys.isEmpty()
        ? Sort.RELEVANCE
        : new Sort(keys.stream().map(TranslatedKey::lucene).toArray(SortField[]::new));
  }

  private Found sorted(Query query, int hits, @Nullable ScoreDoc last) throws IOException {
    FieldDoc after = last == null ? after() : (FieldDoc) last;
    if (isInIndexOrder()) {
      return inIndexOrder(query, hits, after, last != null);
    }
    if (after == null) {
      Found first = leading(query, hits);
      if (first != null) {
        return first;
      }
    }
    Found found =
        collected(query, new TopFieldCollectorManager(sort(), hits, after, threshold(last)));
    return new Found(found.top, maxScore(query, found.top), found.cut);
  }

  private boolean isInIndexOrder() {
    SearchRequest.Limits limits = search.limits();
    return keys.size() == 1
        && keys.getFirst().lucene().getType() == SortField.Type.DOC
        && !keys.getFirst().lucene().getReverse()
        && limits.minScore() == null
        && limits.terminateAfter() == 0
        && !search.ranking().profile();
  }

  /**
   * @param counted whether an earlier page counted the hits
   */
  private Found inIndexOrder(Query query, int hits, @Nullable FieldDoc after, boolean counted)
      throws IOException {
    // A document that was on an earlier page or given by the client; the latter may be any number.
    long from = after == null ? 0 : Math.max(0, (int) after.fields[0] + 1L);
    int limit = counted ? SearchRequest.NO_HITS : search.trackTotalHitsUpTo();
    ScoreDoc[] documents =
        from >= searcher.getIndexReader().maxDoc()
            ? new ScoreDoc[0]
            : searcher.search(query, new FirstDocuments((int) from, hits));
    TopDocs top = new TopDocs(total(query, limit), documents);
    return new Found(top, maxScore(query, top), Cut.NOTHING);
  }

  /** Counts the hits, up to a limit, from statistics where possible. */
  private TotalHits total(Query query, int limit) throws IOException {
    long count = limit == SearchRequest.NO_HITS ? 0 : HitCounter.count(searcher, query, limit);
    return new TotalHits(
        count,
        count > limit ? TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO : TotalHits.Relation.EQUAL_TO);
  }

  /**
   * The hits if they are among the documents with the leading sort values, or null if all documents
   * must be visited.
   */
  private @Nullable Found leading(Query query, int hits) throws IOException {
    SearchRequest.Limits limits = search.limits();
    TranslatedKey key = keys.isEmpty() ? null : keys.getFirst();
    if (key == null
        || !key.isByPoints()
        || !PageFloor.sortsPlainly(search)
        || limits.minScore() != null
        || limits.terminateAfter() != 0
        || search.ranking().profile()) {
      return null;
    }
    LeadingValues.Range among =
        LeadingValues.of(
            searcher.getIndexReader(), key.lucene().getField(), hits, key.lucene().getReverse());
    if (among == null) {
      return null;
    }
    Query narrowed =
        new BooleanQuery.Builder()
            .add(query, BooleanClause.Occur.MUST)
            .add(among.query(), BooleanClause.Occur.FILTER)
            .build();
    // If there are few, visiting all of them is faster than skipping.
    int skippingAfter = among.tied() ? 1 : Integer.MAX_VALUE;
    TopDocs top =
        searcher.search(narrowed, new TopFieldCollectorManager(sort(), hits, null, skippingAfter));
    if (top.scoreDocs.length < hits) {
      return null;
    }
    TopDocs counted = new TopDocs(total(query, search.trackTotalHitsUpTo()), top.scoreDocs);
    return new Found(counted, maxScore(query, counted), Cut.NOTHING);
  }

  /** The maximum score of hits sorted by other keys, if requested. */
  private float maxScore(Query query, TopDocs top) throws IOException {
    boolean scores =
        search.parts().trackScores() || search.sort().stream().anyMatch(key -> key.isScore());
    if (!scores || top.scoreDocs.length == 0) {
      return Float.NaN;
    }
    TopFieldCollector.populateScores(top.scoreDocs, searcher, query);
    TopDocs best = searcher.search(query, 1);
    return best.scoreDocs.length == 0 ? Float.NaN : best.scoreDocs[0].score;
  }

  private Found grouped(Query query, Grouping groups, int hits) throws IOException {
    Float minimum = search.limits().minScore();
    Query bounded = minimum == null ? query : new MinScoreQuery(query, minimum);
    Grouping.Found found =
        groups.find(searcher, bounded, sort(), hits, search.limits().terminateAfter());
    TopDocs top = found.top();
    Cut cut = found.cut() ? Cut.TERMINATE_AFTER : Cut.NOTHING;
    if (!byScore()) {
      return new Found(top, maxScore(bounded, top), cut);
    }
    for (ScoreDoc document : top.scoreDocs) {
      if (document instanceof FieldDoc field) {
        document.score = (float) field.fields[0];
      }
    }
    float best =
        top.scoreDocs.length == 0 || search.page().size() == 0 ? Float.NaN : top.scoreDocs[0].score;
    return new Found(top, best, cut);
  }

  private <C extends Collector, T extends TopDocs> Found collected(
      Query query, CollectorManager<C, T> manager) throws IOException {
    SearchRequest.Limits limits = search.limits();
    if (limits.minScore() == null && limits.terminateAfter() == 0) {
      return new Found(searcher.search(query, manager), Float.NaN, Cut.NOTHING);
    }
    BoundedCollecting<C, T> bounded =
        new BoundedCollecting<>(manager, limits.minScore(), limits.terminateAfter());
    TopDocs top = searcher.search(query, bounded);
    return new Found(top, Float.NaN, bounded.cut() ? Cut.TERMINATE_AFTER : Cut.NOTHING);
  }

  private @Nullable FieldDoc after() {
    List<@Nullable Object> given = search.page().searchAfter();
    if (given == null) {
      return null;
    }
    @Nullable Object[] values = new Object[keys.size()];
    for (int i = 0; i < values.length; i++) {
      if (given.get(i) == null && !keys.get(i).isOfTerms()) {
        throw SearchErrors.illegal(
            "A value of [search_after] for field ["
                + search.sort().get(i).field()
                + "] can't be null");
      }
      try {
        values[i] = keys.get(i).after(given.get(i), request.nowMillis());
      } catch (NumberFormatException | ValueException e) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "Failed to parse search_after value for field ["
                    + search.sort().get(i).field()
                    + "]."));
      }
    }
    // All documents with exactly these values were on earlier pages.
    return new FieldDoc(Integer.MAX_VALUE, 0, values);
  }

  /** Only the first page counts hits. */
  private int threshold(@Nullable ScoreDoc last) {
    return last != null || search.trackTotalHitsUpTo() == SearchRequest.NO_HITS
        ? 1
        : search.trackTotalHitsUpTo();
  }
}
