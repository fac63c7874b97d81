package io.varve.host.search;

import io.varve.engine.SearchView;
import io.varve.engine.search.FoundPage;
import io.varve.engine.search.IndexView;
import io.varve.engine.search.SearchExecution;
import io.varve.events.PackedWriter;
import io.varve.host.ShardCopy;
import io.varve.host.http.CopyEndpoints;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.search.ReaderContext.Kind;
import io.varve.host.search.SearchHandler.Question;
import io.varve.http.internal.Bodies;
import io.varve.rpc.SearchCallHeaders;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import java.io.IOException;
import java.util.Map;

/**
 * Scrolls on one copy. {@code scroll} opens a scroll and returns its first page, {@code
 * scroll-next} the next one. Unless the caller takes all hits of a page, these are returned without
 * their documents, and {@code scroll-take} reads as many of them as the merge of the shards
 * selects.
 */
final class ShardScrolls {

  private static final String FETCH = "indices:data/read/search[phase/fetch/id/scroll]";
  private static final String SCROLL = "indices:data/read/search[phase/query+fetch/scroll]";

  private final ShardSearches searches;
  private final SearchHandler handler;
  private final ReaderContexts contexts;

  ShardScrolls(ShardSearches searches, SearchHandler handler, ReaderContexts contexts) {
    this.searches = searches;
    this.handler = handler;
    this.contexts = contexts;
  }

  Map<String, ShardEndpoint> byName() {
    return Map.of(
        "POST scroll", handler.endpoint(ShardSearches.QUERY, this::open),
        "POST scroll-next", handler.endpoint(SCROLL, this::next),
        "POST scroll-take", handler.endpoint(FETCH, this::take));
  }

  private byte[] open(Question question) throws IOException {
    ShardCopy copy = question.copy();
    SearchHeaders headers = question.headers();
    ShardSearchRequest search = ShardSearchRequest.fromBytes(question.body());
    IndexView index = searches.view(copy);
    SearchView view = CopyEndpoints.searched(copy).acquireView();
    try (ReaderContexts.Lease lease =
        contexts.open(
            Kind.SCROLL,
            headers.requiredContext(),
            copy,
            view,
            headers.keepAliveMillis(),
            new ReaderContext.Place(headers.ordinal(), 0, null))) {
      SearchExecution execution = searches.execution(question, ShardSearches.part(headers, false));
      CountedSearch counted = searches.counted(copy, search);
      question.turn().counts();
      FoundPage page =
          counted.query(() ->
              searches
                  .searcher()
                  .find(view.searcher(), index, search, execution.counted(counted::sliced)));
      Scroll scroll = new Scroll(question.body(), search, index, execution.part(), page);
      synchronized (lease.context.scroll) {
        lease.context.scroll.now = scroll;
        return ShardSearches.answer(question, view, page(question, scroll, page, counted));
      }
    } catch (RuntimeException e) {
      contexts.release(headers.requiredContext());
      throw e;
    }
  }

  private static ShardSearchResult page(
      Question question, Scroll scroll, FoundPage page, CountedSearch counted) {
    return question.request().getHeader(SearchCallHeaders.READ) == null
        ? scroll.withFirstCount(page.unread())
        : counted.fetch(() -> scroll.take(page.size()));
  }

  /** The answer contains the request: the coordinator has only the scroll's id. */
  private byte[] next(Question question) throws IOException {
    ShardCopy copy = question.copy();
    SearchHeaders headers = question.headers();
    PackedWriter answer = new PackedWriter(4096, question.largeArrays());
    try (ReaderContexts.Lease lease =
        contexts.use(headers.requiredContext(), copy.shard(), headers.keepAliveMillis())) {
      SearchView view = lease.context.view;
      synchronized (lease.context.scroll) {
        Scroll scroll = scroll(lease.context);
        SearchExecution execution =
            searches.execution(question, scroll.part()).after(scroll.last());
        CountedSearch counted = searches.counted(copy, scroll.request());
        question.turn().counts();
        FoundPage page =
            counted.query(() ->
                searches
                    .searcher()
                    .find(
                        view.searcher(),
                        scroll.index(),
                        scroll.request(),
                        execution.counted(counted::sliced)));
        scroll.found(page);
        answer.writeBytes(scroll.requestBytes());
        answer.writeBytes(page(question, scroll, page, counted).toBytes(question.largeArrays()));
      }
    }
    return answer.toByteArray();
  }

  private byte[] take(Question question) throws IOException {
    ShardCopy copy = question.copy();
    SearchHeaders headers = question.headers();
    int count = (int) Bodies.requiredLong(question.request(), "count");
    try (ReaderContexts.Lease lease =
        contexts.use(headers.requiredContext(), copy.shard(), headers.keepAliveMillis())) {
      synchronized (lease.context.scroll) {
        Scroll scroll = scroll(lease.context);
        return searches
            .counted(copy, scroll.request())
            .fetch(() -> scroll.take(count))
            .toBytes(question.largeArrays());
      }
    }
  }

  private static Scroll scroll(ReaderContext context) {
    Scroll scroll = context.scroll.now;
    if (scroll == null) {
      throw ReaderContexts.missing(context.id);
    }
    return scroll;
  }
}
