package io.varve.engine.search;

import io.varve.engine.fields.FieldSimilarities;
import io.varve.engine.fields.NestedDocuments;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import io.varve.search.ShardHit;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Searches one shard: the best {@code from + size} hits are found, then read. The searcher must
 * show live documents alone. Nothing is kept between searches; who wants the next page says where
 * the one before ended.
 *
 * <p>The copy that owns the searcher puts its visible seq_no into the result with {@link
 * ShardSearchResult#at}.
 */
public final class ShardSearcher {

  /** Hits in Lucene's order, and what is known beside them. */
  private record Found(TopDocs top, float maxScore, Cut cut) {}

  /** Throws an {@link ApiException} when the request can't be answered under this mapping. */
  public ShardSearchResult search(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    return find(searcher, index, request, SearchCourse.PLAIN).read(Integer.MAX_VALUE);
  }

  /**
   * What the query is to Lucene.
   *
   * @param rewritten as it is run, not as it was translated
   */
  public String explain(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request, boolean rewritten) {
    try {
      QueryContext context =
          new QueryContext(index, searcher, request.nowMillis(), request.surroundings());
      Query query = new QueryTranslator(context).translate(request.query());
      return (rewritten ? searcher.rewrite(query) : query).toString();
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw new ApiException(400, "too_many_clauses", String.valueOf(e.getMessage()));
    } catch (TooComplexToDeterminizeException e) {
      throw SearchErrors.illegal("the pattern is too complex: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("rewriting a query", e);
    }
  }

  /** False only when the query matches nothing here for certain, which takes no search to see. */
  public boolean canMatch(IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    try {
      QueryContext context =
          new QueryContext(index, searcher, request.nowMillis(), request.surroundings());
      Query query = new QueryTranslator(context).translate(request.query());
      return new MatchCheck(searcher.getIndexReader()).canMatch(query);
    } catch (ValueException | ApiException e) {
      // The search itself says what is wrong.
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("looking whether a query can match", e);
    }
  }

  /** The hits, unread. What is counted and aggregated is so on the first page alone. */
  public FoundPage find(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request, SearchCourse course) {
    long started = System.nanoTime();
    SearchRequest search = request.search();
    SearchStop stop = new SearchStop(timeoutMillis(search, course), course.cancelled());
    try {
      QueryContext context =
          new QueryContext(index, searcher, request.nowMillis(), request.surroundings());
      QueryTranslator translator = new QueryTranslator(context);
      // What is aggregated; the hits are narrowed further.
      Query matching =
          within(course.part(), roots(index.mapping(), translator.translate(request.query())));
      Query query = narrowed(matching, search.postFilter(), translator);
      IndexSearcher timed = stop.over(searcher);
      timed.setSimilarity(FieldSimilarities.of(index.mapping()));
      List<SortTranslator.Key> keys =
          new SortTranslator(index.mapping(), course.ordinal()).translate(search.sort());
      boolean byScore = search.page().searchAfter() == null && search.sortedByScore();
      int wanted = Math.min(request.hits(), Math.max(1, timed.getIndexReader().maxDoc()));
      Found found =
          wanted == 0 && search.limits().minScore() == null && search.limits().terminateAfter() == 0
              ? counted(timed, query, search.trackTotalHitsUpTo())
              : byScore
                  ? scored(timed, query, search, Math.max(1, wanted), course.after())
                  : sorted(timed, query, request, keys, Math.max(1, wanted), course.after());
      Partials aggregations =
          course.after() == null && !search.aggregations().isEmpty()
              ? ShardAggregations.of(timed, index.mapping(), request, matching, translator)
              : null;
      stop.refuseCancelled();
      ScoreDoc[] documents = request.hits() == 0 ? new ScoreDoc[0] : found.top.scoreDocs;
      Function<ScoreDoc, List<@Nullable Object>> sortValues =
          doc -> byScore ? HitReader.noSortValues() : shown(keys, (FieldDoc) doc);
      ShardSearchResult figures =
          result(search, found, List.of(), timed.timedOut(), System.nanoTime() - started)
              .aggregated(aggregations);
      return new FoundPage(
          figures,
          documents,
          sortValues,
          some -> read(searcher, index.mapping(), search, some, sortValues));
    } catch (SearchStop.StoppedException e) {
      stop.refuseCancelled();
      return nothingInTime(System.nanoTime() - started);
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw new ApiException(400, "too_many_clauses", String.valueOf(e.getMessage()));
    } catch (TooComplexToDeterminizeException e) {
      throw SearchErrors.illegal("the pattern is too complex: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("searching a shard", e);
    }
  }

  /** The sooner of what the request says and what is left for it. */
  private static long timeoutMillis(SearchRequest search, SearchCourse course) {
    long own = search.limits().timeoutMillis();
    long left = course.timeoutMillis();
    return own == 0 ? left : left == 0 ? own : Math.min(own, left);
  }

  private static List<ShardHit> read(
      IndexSearcher searcher,
      Mapping mapping,
      SearchRequest search,
      ScoreDoc[] documents,
      Function<ScoreDoc, List<@Nullable Object>> sortValues) {
    try {
      return new HitReader(searcher, search.parts(), mapping.sourceEnabled())
          .read(documents, sortValues);
    } catch (IOException e) {
      throw new UncheckedIOException("reading hits of a shard", e);
    }
  }

  /** The time was over before the first document was looked at. */
  private static FoundPage nothingInTime(long nanos) {
    ShardSearchResult nothing =
        new ShardSearchResult(0, false, Float.NaN, List.of(), Cut.TIME, -1, nanos);
    return new FoundPage(nothing, new ScoreDoc[0], _ -> List.of(), _ -> List.of());
  }

  /** What was sent, not the objects in it that are documents of their own. */
  private static Query roots(Mapping mapping, Query query) {
    return NestedDocuments.mayBeIn(mapping) ? within(NestedDocuments.roots(), query) : query;
  }

  private static Query within(@Nullable Query part, Query query) {
    return part == null
        ? query
        : new BooleanQuery.Builder()
            .add(query, BooleanClause.Occur.MUST)
            .add(part, BooleanClause.Occur.FILTER)
            .build();
  }

  private static Query narrowed(
      Query matching,
      io.varve.search.query.@Nullable Query postFilter,
      QueryTranslator translator) {
    return postFilter == null
        ? matching
        : new BooleanQuery.Builder()
            .add(matching, BooleanClause.Occur.MUST)
            .add(translator.translate(postFilter), BooleanClause.Occur.FILTER)
            .build();
  }

  private static Found counted(IndexSearcher searcher, Query query, int limit) throws IOException {
    long count = limit == SearchRequest.NO_HITS ? 0 : HitCounter.count(searcher, query, limit);
    TotalHits total = new TotalHits(count, TotalHits.Relation.EQUAL_TO);
    return new Found(new TopDocs(total, new ScoreDoc[0]), Float.NaN, Cut.NOTHING);
  }

  private static Found scored(
      IndexSearcher searcher, Query query, SearchRequest search, int hits, @Nullable ScoreDoc last)
      throws IOException {
    Found found =
        collected(
            searcher,
            query,
            search.limits(),
            new TopScoreDocCollectorManager(hits, last, threshold(search, last)));
    ScoreDoc[] documents = found.top.scoreDocs;
    float best =
        documents.length == 0 || search.page().size() == 0 ? Float.NaN : documents[0].score;
    return new Found(found.top, best, found.cut);
  }

  private static Found sorted(
      IndexSearcher searcher,
      Query query,
      ShardSearchRequest request,
      List<SortTranslator.Key> keys,
      int hits,
      @Nullable ScoreDoc last)
      throws IOException {
    SearchRequest search = request.search();
    Sort sort =
        keys.isEmpty()
            ? Sort.RELEVANCE
            : new Sort(keys.stream().map(SortTranslator.Key::lucene).toArray(SortField[]::new));
    FieldDoc after = last == null ? after(request, keys) : (FieldDoc) last;
    Found found =
        collected(
            searcher,
            query,
            search.limits(),
            new TopFieldCollectorManager(sort, hits, after, threshold(search, last)));
    boolean scores =
        search.parts().trackScores() || search.sort().stream().anyMatch(key -> key.isScore());
    if (!scores || found.top.scoreDocs.length == 0) {
      return found;
    }
    org.apache.lucene.search.TopFieldCollector.populateScores(found.top.scoreDocs, searcher, query);
    TopDocs best = searcher.search(query, 1);
    float maxScore = best.scoreDocs.length == 0 ? Float.NaN : best.scoreDocs[0].score;
    return new Found(found.top, maxScore, found.cut);
  }

  private static <C extends Collector, T extends TopDocs> Found collected(
      IndexSearcher searcher,
      Query query,
      SearchRequest.Limits limits,
      CollectorManager<C, T> manager)
      throws IOException {
    if (limits.minScore() == null && limits.terminateAfter() == 0) {
      return new Found(searcher.search(query, manager), Float.NaN, Cut.NOTHING);
    }
    BoundedCollecting<C, T> bounded =
        new BoundedCollecting<>(manager, limits.minScore(), limits.terminateAfter());
    TopDocs top = searcher.search(query, bounded);
    return new Found(top, Float.NaN, bounded.cut() ? Cut.TERMINATE_AFTER : Cut.NOTHING);
  }

  private static @Nullable FieldDoc after(
      ShardSearchRequest request, List<SortTranslator.Key> keys) {
    List<@Nullable Object> given = request.search().page().searchAfter();
    if (given == null) {
      return null;
    }
    @Nullable Object[] values = new Object[keys.size()];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = keys.get(i).after(given.get(i), request.nowMillis());
      } catch (NumberFormatException | ValueException e) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "Failed to parse search_after value for field ["
                    + request.search().sort().get(i).field()
                    + "]."));
      }
    }
    // All documents with these very values were seen.
    return new FieldDoc(Integer.MAX_VALUE, 0, values);
  }

  /** Later pages count nothing: the first one did. */
  private static int threshold(SearchRequest search, @Nullable ScoreDoc last) {
    return last != null || search.trackTotalHitsUpTo() == SearchRequest.NO_HITS
        ? 1
        : search.trackTotalHitsUpTo();
  }

  private static List<@Nullable Object> shown(List<SortTranslator.Key> keys, FieldDoc document) {
    List<@Nullable Object> values = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      values.add(keys.get(i).shown(document.fields[i]));
    }
    return values;
  }

  private static ShardSearchResult result(
      SearchRequest search, Found found, List<ShardHit> hits, boolean timedOut, long nanos) {
    boolean counted = search.trackTotalHitsUpTo() != SearchRequest.NO_HITS;
    TotalHits total = found.top.totalHits;
    return new ShardSearchResult(
        counted ? total.value() : ShardSearchResult.NOT_COUNTED,
        counted && total.relation() == TotalHits.Relation.EQUAL_TO,
        found.maxScore,
        hits,
        timedOut ? Cut.TIME : found.cut,
        -1,
        nanos);
  }
}
