package io.varve.node.search;

import io.varve.cluster.ClusterView;
import io.varve.engine.QueryCaches;
import io.varve.engine.SearchView;
import io.varve.engine.search.FoundPage;
import io.varve.engine.search.IndexView;
import io.varve.engine.search.SearchCourse;
import io.varve.engine.search.ShardSearcher;
import io.varve.engine.search.SliceQuery;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.events.PackedWriter;
import io.varve.node.ShardCopy;
import io.varve.node.http.Bodies;
import io.varve.node.http.CopyEndpoints;
import io.varve.node.http.ShardEndpoint;
import io.varve.node.search.ReaderContext.Kind;
import io.varve.rpc.SearchCallHeaders;
import io.varve.search.SearchStatistics;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Searches on one copy: of what it shows now, of a point in time, page by page.
 *
 * <p>A page of a scroll is {@code scroll} (opens it) or {@code scroll-next}; unless the caller says
 * that it takes all hits of it, they come unread, and {@code scroll-take} reads as many as the
 * merge of the shards wants.
 */
public final class ShardSearches {

  private static final String QUERY = "indices:data/read/search[phase/query]";
  private static final String FETCH = "indices:data/read/search[phase/fetch/id/scroll]";
  private static final String SCROLL = "indices:data/read/search[phase/query+fetch/scroll]";

  private final MappingCache mappings;
  private final ReaderContexts contexts;
  private final NodeTasks tasks;
  private final RequestCache cache;
  private final ShardSearcher searcher;

  /**
   * @param breaker bounds what aggregations hold
   */
  public ShardSearches(
      ClusterView cluster,
      ReaderContexts contexts,
      NodeTasks tasks,
      RequestCache cache,
      MemoryBreaker breaker) {
    this.searcher = new ShardSearcher(breaker);
    this.mappings = new MappingCache(cluster);
    this.contexts = contexts;
    this.tasks = tasks;
    this.cache = cache;
  }

  public Map<String, ShardEndpoint> byName() {
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    endpoints.put("POST search", this::search);
    endpoints.put("POST search-statistics", this::statistics);
    endpoints.put("POST open-reader", this::openReader);
    endpoints.put("POST explain-query", this::explainQuery);
    endpoints.put("POST can-match", this::canMatch);
    endpoints.put("POST clear-cache", this::clearCaches);
    endpoints.put("POST scroll", this::scroll);
    endpoints.put("POST scroll-next", this::scrollNext);
    endpoints.put("POST scroll-take", this::scrollTake);
    return endpoints;
  }

  private void search(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long began = System.nanoTime();
    SearchHeaders headers = SearchHeaders.of(request);
    ShardSearchRequest search = ShardSearchRequest.fromBytes(Bodies.read(request));
    IndexView index = mappings.view(copy.shard().indexUuid());
    byte[] answer;
    try (NodeTasks.Running task = begin(QUERY, copy, headers)) {
      if (headers.context() == null) {
        try (SearchView view = CopyEndpoints.searchable(copy).acquireView()) {
          SearchCourse course = course(headers, task, false);
          answer =
              headers.cached()
                  ? cached(copy, view, index, search, course, began)
                  : searched(copy, view, index, search, course, began);
        }
      } else {
        try (ReaderContexts.Lease lease =
            contexts.use(headers.context(), copy.shard(), headers.keepAliveMillis())) {
          answer =
              searched(copy, lease.context.view, index, search, course(headers, task, true), began);
        }
      }
    }
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, answer);
  }

  private byte[] searched(
      ShardCopy copy,
      SearchView view,
      IndexView index,
      ShardSearchRequest search,
      SearchCourse course,
      long began) {
    CountedSearch counted = counted(copy, search);
    FoundPage page = counted.query(() -> searcher.find(view.searcher(), index, search, course));
    ShardSearchResult found =
        page.size() == 0 ? page.read(0) : counted.fetch(() -> page.read(Integer.MAX_VALUE));
    return found.at(view.visibleSeqNo(), System.nanoTime() - began).toBytes();
  }

  /** An answer that was given before, while the same reader is there, or a new one. */
  private byte[] cached(
      ShardCopy copy,
      SearchView view,
      IndexView index,
      ShardSearchRequest search,
      SearchCourse course,
      long began) {
    // What now means is not in it: a request to which it matters is not kept.
    byte[] key =
        new ShardSearchRequest(search.search(), 0, search.narrowing(), search.surroundings())
            .toBytes();
    RequestCache.Place place =
        course.part() != null
            ? null
            : cache.place(
                view.searcher().getIndexReader(),
                mappings.index(copy.shard().indexUuid()).mappingVersion(),
                key,
                CopyEndpoints.searchable(copy).searchMeters().requestCache());
    if (place == null) {
      return searched(copy, view, index, search, course, began);
    }
    ShardSearchResult known = place.find();
    if (known != null) {
      return known.at(view.visibleSeqNo(), System.nanoTime() - began).toBytes();
    }
    byte[] answer = searched(copy, view, index, search, course, began);
    place.keep(ShardSearchResult.fromBytes(answer));
    return answer;
  }

  private void canMatch(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    ShardSearchRequest search = ShardSearchRequest.fromBytes(Bodies.read(request));
    IndexView index = mappings.view(copy.shard().indexUuid());
    boolean can;
    if (headers.context() == null) {
      try (SearchView view = CopyEndpoints.searchable(copy).acquireView()) {
        can = searcher.canMatch(view.searcher(), index, search);
      }
    } else {
      try (ReaderContexts.Lease lease =
          contexts.use(headers.context(), copy.shard(), headers.keepAliveMillis())) {
        can = searcher.canMatch(lease.context.view.searcher(), index, search);
      }
    }
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, new byte[] {(byte) (can ? 1 : 0)});
  }

  private void clearCaches(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    copy.searchable().ifPresent(QueryCaches::clear);
    try (SearchView view = CopyEndpoints.searchable(copy).acquireView()) {
      cache.clear(view.searcher().getIndexReader());
    }
    Bodies.sendJson(response, Map.of());
  }

  private static CountedSearch counted(ShardCopy copy, ShardSearchRequest search) {
    return new CountedSearch(
        CopyEndpoints.searchable(copy).searchMeters(), search.search().scope().groups());
  }

  private NodeTasks.Running begin(String action, ShardCopy copy, SearchHeaders headers) {
    return tasks.begin(action, headers.task(), "shardId[" + copy.shard() + "]");
  }

  private static SearchCourse course(
      SearchHeaders headers, NodeTasks.Running task, boolean oneReader) {
    Query part = headers.part() == null ? null : SliceQuery.of(headers.part(), oneReader);
    return course(headers, task, part);
  }

  private static SearchCourse course(
      SearchHeaders headers, NodeTasks.Running task, @Nullable Query part) {
    return new SearchCourse(
        null, part, headers.ordinal(), headers.timeoutMillis(), task::cancelled);
  }

  private void explainQuery(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean rewritten = "true".equals(request.getParameter("rewritten"));
    ShardSearchRequest search = ShardSearchRequest.fromBytes(Bodies.read(request));
    IndexView index = mappings.view(copy.shard().indexUuid());
    try (SearchView view = CopyEndpoints.searchable(copy).acquireView()) {
      String explanation = searcher.explain(view.searcher(), index, search, rewritten);
      Bodies.send(response, "text/plain", explanation.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** What the scores of the search would be made of, for whoever adds up those of all shards. */
  private void statistics(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    ShardSearchRequest search = ShardSearchRequest.fromBytes(Bodies.read(request));
    IndexView index = mappings.view(copy.shard().indexUuid());
    SearchStatistics counts;
    if (headers.context() == null) {
      try (SearchView view = CopyEndpoints.searchable(copy).acquireView()) {
        counts = searcher.statistics(view.searcher(), index, search);
      }
    } else {
      try (ReaderContexts.Lease lease =
          contexts.use(headers.context(), copy.shard(), headers.keepAliveMillis())) {
        counts = searcher.statistics(lease.context.view.searcher(), index, search);
      }
    }
    PackedWriter answer = new PackedWriter(1024);
    counts.write(answer);
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, answer.toByteArray());
  }

  private void openReader(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    SearchView view = CopyEndpoints.searchable(copy).acquireView();
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

  private void scroll(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long began = System.nanoTime();
    SearchHeaders headers = SearchHeaders.of(request);
    byte[] body = Bodies.read(request);
    ShardSearchRequest search = ShardSearchRequest.fromBytes(body);
    IndexView index = mappings.view(copy.shard().indexUuid());
    SearchView view = CopyEndpoints.searchable(copy).acquireView();
    ShardSearchResult result;
    try (NodeTasks.Running task = begin(QUERY, copy, headers);
        ReaderContexts.Lease lease =
            contexts.open(
                Kind.SCROLL,
                headers.requiredContext(),
                copy,
                view,
                headers.keepAliveMillis(),
                new ReaderContext.Place(headers.ordinal(), 0, null))) {
      SearchCourse course = course(headers, task, false);
      CountedSearch counted = counted(copy, search);
      FoundPage page = counted.query(() -> searcher.find(view.searcher(), index, search, course));
      Scroll scroll = new Scroll(body, search, index, course.part(), page);
      synchronized (lease.context.scroll) {
        lease.context.scroll.now = scroll;
        result = page(request, scroll, page, counted);
      }
    } catch (RuntimeException e) {
      contexts.release(headers.requiredContext());
      throw e;
    }
    byte[] answer = result.at(view.visibleSeqNo(), System.nanoTime() - began).toBytes();
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, answer);
  }

  private static ShardSearchResult page(
      HttpServletRequest request, Scroll scroll, FoundPage page, CountedSearch counted) {
    return request.getHeader(SearchCallHeaders.READ) == null
        ? scroll.withFirstCount(page.unread())
        : counted.fetch(() -> scroll.take(page.size()));
  }

  /** Answers with the request, for whoever merges and has nothing but the scroll's id. */
  private void scrollNext(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    PackedWriter answer = new PackedWriter(4096);
    try (NodeTasks.Running task = begin(SCROLL, copy, headers);
        ReaderContexts.Lease lease =
            contexts.use(headers.requiredContext(), copy.shard(), headers.keepAliveMillis())) {
      SearchView view = lease.context.view;
      synchronized (lease.context.scroll) {
        Scroll scroll = scroll(lease.context);
        SearchCourse course = course(headers, task, scroll.part()).after(scroll.last());
        CountedSearch counted = counted(copy, scroll.request());
        FoundPage page =
            counted.query(
                () -> searcher.find(view.searcher(), scroll.index(), scroll.request(), course));
        scroll.found(page);
        answer.writeBytes(scroll.requestBytes());
        answer.writeBytes(page(request, scroll, page, counted).toBytes());
      }
    }
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, answer.toByteArray());
  }

  private void scrollTake(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SearchHeaders headers = SearchHeaders.of(request);
    int count = (int) Bodies.requiredLong(request, "count");
    byte[] answer;
    try (NodeTasks.Running _ = begin(FETCH, copy, headers);
        ReaderContexts.Lease lease =
            contexts.use(headers.requiredContext(), copy.shard(), headers.keepAliveMillis())) {
      synchronized (lease.context.scroll) {
        Scroll scroll = scroll(lease.context);
        answer = counted(copy, scroll.request()).fetch(() -> scroll.take(count)).toBytes();
      }
    }
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, answer);
  }

  private static Scroll scroll(ReaderContext context) {
    Scroll scroll = context.scroll.now;
    if (scroll == null) {
      throw ReaderContexts.missing(context.id);
    }
    return scroll;
  }
}
