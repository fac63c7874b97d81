package io.varve.engine.search;

import io.varve.engine.fielddata.Fielddata;
import io.varve.engine.fielddata.FielddataReader;
import io.varve.engine.fielddata.GlobalOrdinals;
import io.varve.engine.fields.FieldSimilarities;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.CanMatch;
import io.varve.search.Ranking;
import io.varve.search.SearchRequest;
import io.varve.search.SearchStatistics;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.Collapse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Searches one shard: finds the best {@code from + size} hits, then fetches them. The searcher must
 * expose live documents only. Stateless: to get the next page, the caller passes the end of the
 * previous one.
 *
 * <p>The copy that owns the searcher adds its visible seq_no to the result with {@link
 * ShardSearchResult#at}.
 */
public final class ShardSearcher {

  private final MemoryBreaker breaker;
  private final SearchSlices slices;
  private final LongSupplier nanoClock;

  /**
   * @param breaker limits the memory of aggregations
   * @param slices decides on concurrent slices
   * @param nanoClock by which searches time out
   */
  public ShardSearcher(MemoryBreaker breaker, SearchSlices slices, LongSupplier nanoClock) {
    this.breaker = breaker;
    this.slices = slices;
    this.nanoClock = nanoClock;
  }

  /** Throws an {@link ApiException} if the request can't be answered under this mapping. */
  public ShardSearchResult search(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    return find(searcher, index, request, SearchExecution.plain()).read(Integer.MAX_VALUE);
  }

  /**
   * Describes the Lucene query.
   *
   * @param rewritten whether to rewrite it first
   */
  public String explain(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request, boolean rewritten) {
    try {
      QueryContext context =
          new QueryContext(index, searcher, request.nowMillis(), request.context(), breaker);
      Query query = new QueryTranslator(context).translate(request.query());
      return (rewritten ? searcher.rewrite(query) : query).toString();
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw new ApiException(400, "too_many_clauses", String.valueOf(e.getMessage()));
    } catch (TooComplexToDeterminizeException e) {
      throw SearchErrors.illegal("the pattern is too complex: " + e.getMessage());
    } catch (StackOverflowError e) {
      throw SearchErrors.illegal(SearchErrors.TOO_DEEP);
    } catch (IOException e) {
      throw new UncheckedIOException("rewriting a query", e);
    }
  }

  /** The Lucene query for the root documents that the request matches. */
  public Query matching(IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    try {
      limitClauses(request.context().maxClauses());
      QueryContext context =
          new QueryContext(index, searcher, request.nowMillis(), request.context(), breaker);
      return SearchQueries.of(index, request, null, new QueryTranslator(context)).matching();
    } catch (ValueException e) {
      throw SearchErrors.in(index, SearchErrors.of(e));
    } catch (ApiException e) {
      throw SearchErrors.in(index, e);
    } catch (TooComplexToDeterminizeException e) {
      throw SearchErrors.illegal("the pattern is too complex: " + e.getMessage());
    } catch (StackOverflowError e) {
      throw SearchErrors.illegal(SearchErrors.TOO_DEEP);
    }
  }

  /**
   * Whether the query can match anything here, and the range of its sort values, as far as they can
   * be determined without a search.
   */
  public CanMatch canMatch(IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    try {
      QueryContext context =
          new QueryContext(index, searcher, request.nowMillis(), request.context(), breaker);
      Query query = new QueryTranslator(context).translate(request.query());
      return new CanMatch(
          new MatchCheck(searcher.getIndexReader()).canMatch(query),
          SortBounds.of(context, request.search()));
    } catch (ValueException | ApiException | StackOverflowError e) {
      // The search itself will report the error.
      return new CanMatch(true, null);
    } catch (IOException e) {
      throw new UncheckedIOException("checking whether a query can match", e);
    }
  }

  /** Finds hits without fetching them. Hits are counted and aggregated for the first page only. */
  public FoundPage find(
      IndexSearcher plain, IndexView index, ShardSearchRequest request, SearchExecution execution) {
    IndexSearcher searcher = withFielddata(plain, index, execution.fielddata());
    long started = System.nanoTime();
    SearchStop stop =
        new SearchStop(
            timeoutMillis(request.search(), execution), execution.cancelled(), nanoClock);
    try (SearchSlices.Running _ = slices.begin()) {
      return found(searcher, index, request, execution, stop);
    } catch (SearchStop.StoppedException e) {
      stop.refuseCancelled();
      return nothingInTime(System.nanoTime() - started);
    } catch (ValueException e) {
      throw SearchErrors.in(index, SearchErrors.of(e));
    } catch (ApiException e) {
      throw SearchErrors.in(index, e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw SearchErrors.in(
          index,
          SearchErrors.failedToCreate(
              ErrorBody.of(400, "too_many_clauses", String.valueOf(e.getMessage()))));
    } catch (TooComplexToDeterminizeException e) {
      throw SearchErrors.illegal("the pattern is too complex: " + e.getMessage());
    } catch (IllegalStateException e) {
      throw IntervalQueryTranslator.refused(e);
    } catch (StackOverflowError e) {
      throw SearchErrors.illegal(SearchErrors.TOO_DEEP);
    } catch (IOException e) {
      throw new UncheckedIOException("searching a shard", e);
    }
  }

  /** Statistics of the shard for the terms of a search and of its rescore queries. */
  public SearchStatistics statistics(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    try {
      QueryTranslator translator =
          new QueryTranslator(
              new QueryContext(index, searcher, request.nowMillis(), request.context(), breaker));
      StatisticsGathering gathering = new StatisticsGathering(searcher);
      gathering.add(translator.translate(request.query()));
      for (Ranking.Rescore rescore : request.search().ranking().rescores()) {
        gathering.add(translator.translate(rescore.query()));
      }
      return gathering.statistics();
    } catch (ValueException e) {
      throw SearchErrors.in(index, SearchErrors.of(e));
    } catch (ApiException e) {
      throw SearchErrors.in(index, e);
    } catch (IOException e) {
      throw new UncheckedIOException("counting terms of a shard", e);
    }
  }

  private FoundPage found(
      IndexSearcher searcher,
      IndexView index,
      ShardSearchRequest request,
      SearchExecution execution,
      SearchStop stop)
      throws IOException {
    long started = System.nanoTime();
    SearchRequest search = request.search();
    limitClauses(request.context().maxClauses());
    SearchProfile profile = search.ranking().profile() ? new SearchProfile() : null;
    IndexSearcher own =
        stop.over(searcher, request.context().statistics(), profile, slices.of(index, search));
    own.setSimilarity(FieldSimilarities.of(index.mapping()));
    QueryContext context =
        new QueryContext(index, searcher, request.nowMillis(), request.context(), breaker);
    QueryTranslator translator = new QueryTranslator(context);
    SearchQueries queries = SearchQueries.of(index, request, execution.part(), translator);
    List<TranslatedKey> keys =
        new SortTranslator(context, translator, execution.ordinal()).translate(search.sort());
    Collapse collapse = search.ranking().collapse();
    Grouping grouping = collapse == null ? null : new Grouping(context, collapse.field());
    Rescoring rescoring = new Rescoring(context, translator, search.ranking().rescores());
    FetchPhase showing =
        new FetchPhase(context, translator, search.hits(), keys, grouping, search.query());
    HitFinder finder = new HitFinder(own, request, keys, grouping, rescoring);
    boolean aggregates = execution.after() == null && !search.aggregations().isEmpty();
    Supplier<SearchTools> tools =
        () ->
            new SearchTools(
                context,
                translator,
                new SearchTools.Hits(
                    request,
                    queries.matching(),
                    execution.ordinal(),
                    scoring(searcher, index, request)),
                name -> GlobalOrdinals.of(own.getIndexReader(), name, execution.fielddata()));
    Visited visited =
        counted(
            own,
            execution,
            () ->
                new Visited(
                    finder.find(queries.hits(), execution.after()),
                    aggregates
                        ? ShardAggregations.of(
                            own, request, queries.matching(), tools.get(), breaker)
                        : null));
    HitFinder.Found found = visited.hits();
    stop.refuseCancelled();
    ScoreDoc[] documents =
        request.hits() >= found.top().scoreDocs.length
            ? found.top().scoreDocs
            : Arrays.copyOf(found.top().scoreDocs, request.hits());
    ShardSearchResult withoutHits =
        result(search, found, own.timedOut(), System.nanoTime() - started)
            .aggregated(visited.aggregations());
    return new FoundPage(
        profile == null
            ? withoutHits
            : withoutHits.withProfile(profile.json(withoutHits.serviceNanos())),
        documents,
        showing::sortValues,
        some ->
            showing.read(scoring(searcher, index, request), queries.matching(), rescoring, some));
  }

  /** The result of one pass over the documents. */
  private record Visited(HitFinder.Found hits, @Nullable Partials aggregations) {}

  @FunctionalInterface
  private interface Visit {
    Visited run() throws IOException;
  }

  private static Visited counted(IndexSearcher own, SearchExecution execution, Visit visit)
      throws IOException {
    int slices = own.getSlices().length;
    Runnable ended = slices > 1 ? execution.slices().begins(slices) : () -> {};
    try {
      return visit.run();
    } finally {
      ended.run();
    }
  }

  private static IndexSearcher withFielddata(
      IndexSearcher plain, IndexView index, Fielddata fielddata) {
    IndexReader reader = FielddataReader.over(plain.getIndexReader(), index.mapping(), fielddata);
    return reader.equals(plain.getIndexReader())
        ? plain
        : new ShardIndexSearcher(
            reader, plain, SearchStatistics.NONE, null, SearchSlices.Slicing.NONE);
  }

  /**
   * Applies the cluster's limit of clauses, which Lucene keeps in a static field for all searches.
   */
  private static void limitClauses(int most) {
    if (IndexSearcher.getMaxClauseCount() != most) {
      IndexSearcher.setMaxClauseCount(most);
    }
  }

  /** Creates a searcher that fetches hits. It scores like the search but has no timeout. */
  private static IndexSearcher scoring(
      IndexSearcher searcher, IndexView index, ShardSearchRequest request) {
    IndexSearcher own =
        new ShardIndexSearcher(
            searcher.getIndexReader(),
            searcher,
            request.context().statistics(),
            null,
            SearchSlices.Slicing.NONE);
    own.setSimilarity(FieldSimilarities.of(index.mapping()));
    return own;
  }

  /** The earlier of the request's timeout and the remaining time. */
  private static long timeoutMillis(SearchRequest search, SearchExecution execution) {
    long own = search.limits().timeoutMillis();
    long left = execution.timeoutMillis();
    return own <= 0 ? left : left == 0 ? own : Math.min(own, left);
  }

  /** The result if the timeout expired before any document was visited. */
  private static FoundPage nothingInTime(long nanos) {
    ShardSearchResult nothing =
        new ShardSearchResult(0, false, Float.NaN, List.of(), Cut.TIME, -1, nanos);
    return new FoundPage(nothing, new ScoreDoc[0], _ -> List.of(), _ -> List.of());
  }

  private static ShardSearchResult result(
      SearchRequest search, HitFinder.Found found, boolean timedOut, long nanos) {
    boolean counted = search.trackTotalHitsUpTo() != SearchRequest.NO_HITS;
    TotalHits total = found.top().totalHits;
    return new ShardSearchResult(
        counted ? total.value() : ShardSearchResult.NOT_COUNTED,
        counted && total.relation() == TotalHits.Relation.EQUAL_TO,
        found.maxScore(),
        List.of(),
        timedOut ? Cut.TIME : found.cut(),
        -1,
        nanos);
  }
}
