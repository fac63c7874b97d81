package io.varve.host.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.engine.Matching;
import io.varve.engine.SearchView;
import io.varve.engine.fielddata.Fielddata;
import io.varve.engine.search.FoundPage;
import io.varve.engine.search.IndexView;
import io.varve.engine.search.SearchExecution;
import io.varve.engine.search.ShardSearcher;
import io.varve.engine.search.SliceQuery;
import io.varve.events.PackedWriter;
import io.varve.events.ShardId;
import io.varve.host.ShardCopy;
import io.varve.host.http.CopyEndpoints;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.host.search.ReaderContext.Kind;
import io.varve.host.search.SearchHandler.Question;
import io.varve.http.internal.Bodies;
import io.varve.rpc.SearchCallHeaders;
import io.varve.search.CanMatch;
import io.varve.search.SearchRequest;
import io.varve.search.SearchStatistics;
import io.varve.search.ShardSearchContext;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Searches on one copy, of its current content or of a point in time; scrolls are in {@link
 * ShardScrolls}. Searches run on a worker of the {@link SearchPool}; whether a query can match is
 * decided on the calling thread.
 */
public final class ShardSearches implements ShardEndpoints {

  static final String QUERY = "indices:data/read/search[phase/query]";
  private static final String STATISTICS = "indices:data/read/search[phase/dfs]";
  private static final String EXPLAIN = "indices:admin/validate/query[s]";

  private final ClusterView cluster;
  private final MappingCache mappings;
  private final ReaderContexts contexts;
  private final SearchHandler handler;
  private final NodeCaches caches;
  private final ShardSearcher searcher;

  public ShardSearches(
      ClusterView cluster,
      ReaderContexts contexts,
      SearchHandler handler,
      NodeCaches caches,
      ShardSearcher searcher) {
    this.searcher = searcher;
    this.cluster = cluster;
    this.mappings = new MappingCache(cluster);
    this.contexts = contexts;
    this.handler = handler;
    this.caches = caches;
  }

  @Override
  public Map<String, ShardEndpoint> byName() {
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    endpoints.put("POST search", handler.endpoint(QUERY, this::search));
    endpoints.put("POST search-statistics", handler.endpoint(STATISTICS, this::statistics));
    endpoints.put(
        "POST explain-query", handler.endpoint(EXPLAIN, "text/plain", this::explainQuery));
    endpoints.put("POST open-reader", handler.atOnce(this::openReader));
    endpoints.put("POST can-match", handler.atOnce(this::canMatch));
    endpoints.put("POST clear-cache", this::clearCaches);
    endpoints.putAll(new ShardScrolls(this, handler, contexts).byName());
    return endpoints;
  }

  ShardSearcher searcher() {
    return searcher;
  }

  IndexView view(ShardCopy copy) {
    return mappings.view(copy.shard().indexUuid());
  }

  /**
   * Selects the documents of a copy that a query matches.
   *
   * @param query as JSON; null for all documents. It can't refer to other documents.
   * @param nowMillis the time that {@code now} denotes
   */
  public Matching matching(ShardCopy copy, @Nullable String query, long nowMillis) {
    if (query == null) {
      return Matching.ALL;
    }
    byte[] body = ("{\"query\":" + query + "}").getBytes(StandardCharsets.UTF_8);
    ClusterState state = cluster.current();
    String clauses = ClusterSettings.value(state, ClusterSettings.MAX_CLAUSE_COUNT);
    ShardSearchContext limits =
        new ShardSearchContext(
            Map.of(),
            Map.of(),
            SearchStatistics.NONE,
            !"false".equals(ClusterSettings.value(state, ClusterSettings.ALLOW_EXPENSIVE_QUERIES)),
            clauses == null ? ShardSearchContext.DEFAULT_MAX_CLAUSES : Integer.parseInt(clauses));
    ShardSearchRequest request =
        new ShardSearchRequest(SearchRequest.parse(body, Map.of()), nowMillis).in(limits);
    return reader -> searcher.matching(reader, view(copy), request);
  }

  private byte[] search(Question question) throws IOException {
    ShardCopy copy = question.copy();
    SearchHeaders headers = question.headers();
    ShardSearchRequest search = ShardSearchRequest.fromBytes(question.body());
    if (headers.context() == null) {
      try (SearchView view = CopyEndpoints.searched(copy).acquireView()) {
        SearchExecution execution = execution(question, part(headers, false));
        return headers.cached()
            ? cached(question, view, search, execution)
            : searched(question, view, search, execution);
      }
    }
    try (ReaderContexts.Lease lease =
        contexts.use(headers.context(), copy.shard(), headers.keepAliveMillis())) {
      return searched(
          question, lease.context.view, search, execution(question, part(headers, true)));
    }
  }

  private byte[] searched(
      Question question, SearchView view, ShardSearchRequest search, SearchExecution execution) {
    CountedSearch counted = counted(question.copy(), search);
    IndexView index = view(question.copy());
    question.turn().counts();
    FoundPage page =
        counted.query(() ->
            searcher.find(view.searcher(), index, search, execution.counted(counted::sliced)));
    ShardSearchResult found =
        page.size() == 0 ? page.read(0) : counted.fetch(() -> page.read(Integer.MAX_VALUE));
    return answer(question, view, found);
  }

  static byte[] answer(Question question, SearchView view, ShardSearchResult found) {
    return found
        .at(view.visibleSeqNo(), question.turn().ageNanos())
        .toBytes(question.largeArrays());
  }

  /** A cached response for the same reader, or a new one. */
  private byte[] cached(
      Question question, SearchView view, ShardSearchRequest search, SearchExecution execution) {
    ShardCopy copy = question.copy();
    // The key does not contain the current time, so a request that depends on it is not cached.
    byte[] key =
        new ShardSearchRequest(search.search(), 0, search.narrowing(), search.context()).toBytes();
    RequestCache.Place place =
        execution.part() != null
            ? null
            : caches
                .requests()
                .place(
                    view.searcher().getIndexReader(),
                    mappings.index(copy.shard().indexUuid()).mappingVersion(),
                    key,
                    CopyEndpoints.searched(copy).searchMeters().requestCache());
    if (place == null) {
      return searched(question, view, search, execution);
    }
    ShardSearchResult known = place.find();
    if (known != null) {
      return answer(question, view, known);
    }
    byte[] answer = searched(question, view, search, execution);
    place.keep(answer);
    return answer;
  }

  /** Uses the open reader of the caller's context, or else the current one. */
  private <T> T onReader(ShardCopy copy, SearchHeaders headers, Function<IndexSearcher, T> use)
      throws IOException {
    String context = headers.context();
    if (context == null) {
      try (SearchView view = CopyEndpoints.searched(copy).acquireView()) {
        return use.apply(view.searcher());
      }
    }
    try (ReaderContexts.Lease lease =
        contexts.use(context, copy.shard(), headers.keepAliveMillis())) {
      return use.apply(lease.context.view.searcher());
    }
  }

  private void canMatch(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    ShardSearchRequest search = ShardSearchRequest.fromBytes(Bodies.read(request));
    IndexView index = view(copy);
    CanMatch can = onReader(copy, headers, reader -> searcher.canMatch(reader, index, search));
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, can.toBytes());
  }

  private void clearCaches(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    caches.clear(CopyEndpoints.searchable(copy), ClearedCaches.of(request));
    Bodies.sendJson(response, Map.of());
  }

  CountedSearch counted(ShardCopy copy, ShardSearchRequest search) {
    ShardId shard = copy.shard();
    return new CountedSearch(
        CopyEndpoints.searched(copy).searchMeters(),
        mappings.slowLog(shard.indexUuid()),
        "[" + mappings.index(shard.indexUuid()).name() + "][" + shard.number() + "]",
        search);
  }

  /** The requested slice of the shard, or null for all. */
  static @Nullable Query part(SearchHeaders headers, boolean oneReader) {
    return headers.part() == null ? null : SliceQuery.of(headers.part(), oneReader);
  }

  SearchExecution execution(Question question, @Nullable Query part) {
    return new SearchExecution(
        null,
        part,
        question.headers().ordinal(),
        question.turn().timeoutMillis(),
        question.turn()::isOver,
        new Fielddata(caches.fielddata(), CopyEndpoints.searched(question.copy()).searchMeters()),
        SearchExecution.SliceCount.NOBODY);
  }

  private byte[] explainQuery(Question question) throws IOException {
    boolean rewritten = "true".equals(question.request().getParameter("rewritten"));
    ShardSearchRequest search = ShardSearchRequest.fromBytes(question.body());
    IndexView index = view(question.copy());
    try (SearchView view = CopyEndpoints.searched(question.copy()).acquireView()) {
      String explanation = searcher.explain(view.searcher(), index, search, rewritten);
      return explanation.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** The term statistics of the search, which the coordinator sums over all shards. */
  private byte[] statistics(Question question) throws IOException {
    ShardSearchRequest search = ShardSearchRequest.fromBytes(question.body());
    IndexView index = view(question.copy());
    SearchStatistics counts =
        onReader(
            question.copy(),
            question.headers(),
            reader -> searcher.statistics(reader, index, search));
    PackedWriter answer = new PackedWriter(1024);
    counts.write(answer);
    return answer.toByteArray();
  }

  private void openReader(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    SearchView view = CopyEndpoints.searched(copy).acquireView();
    String filter = new String(Bodies.read(request), StandardCharsets.UTF_8);
    ReaderContext.Place place =
        new ReaderContext.Place(
            headers.ordinal(),
            SearchHeaders.number(request, SearchCallHeaders.OPENED),
            filter.isEmpty() ? null : filter);
    contexts
        .open(Kind.PIT, headers.requiredContext(), copy, view, headers.keepAliveMillis(), place)
        .close();
    Bodies.sendJson(response, Map.of());
  }
}
