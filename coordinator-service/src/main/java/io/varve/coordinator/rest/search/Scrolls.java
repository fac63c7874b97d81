package io.varve.coordinator.rest.search;

import io.varve.client.CopyAddress;
import io.varve.client.SearchCall;
import io.varve.client.SearchCall.Step;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.search.SearchContextId.Kind;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.coordinator.rest.search.SearchRouter.Answered;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.ShardOptions;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.events.PackedReader;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer;
import io.varve.search.SearchReducer.Reduced;
import io.varve.search.SearchRequest;
import io.varve.search.SearchResponseWriter;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchRequest;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Scrolls over shards. A coordinator keeps no state of a scroll: the scroll's id names the nodes
 * with the readers, and each node keeps the position in its shards.
 *
 * <p>A page of a single shard is read in one step. With several shards, each finds a page; the best
 * hits are selected by score or sort values; then each shard reads its selected hits and continues
 * after them.
 */
final class Scrolls {

  private final SearchRouter router;
  private final ShardClient client;
  private final ContextNodes contexts;
  private final ShardAnswers answers;

  Scrolls(SearchRouter router, ShardClient client, ContextNodes contexts, ShardAnswers answers) {
    this.router = router;
    this.client = client;
    this.contexts = contexts;
    this.answers = answers;
  }

  /** A request to open a scroll. */
  record Opening(
      ClusterState state,
      SearchRequest request,
      SearchOptions searchOptions,
      List<Target> targets,
      ShardOptions shardOptions,
      long keepAliveMillis) {}

  private record Page(Reduced reduced, List<ShardFailure> failures) {}

  /**
   * Opens a scroll. If the first page fails, the scroll is closed, because the client does not get
   * its id.
   */
  SearchAnswer open(Opening opening, ShardRequests requests, SearchBudget budget, long nowMillis)
      throws InterruptedException {
    SearchCall.Context context =
        new SearchCall.Context(
            UUID.randomUUID().toString().replace("-", ""), opening.keepAliveMillis());
    Queue<Member> asked = new ConcurrentLinkedQueue<>();
    boolean answered = false;
    try {
      Found found = found(opening, requests, budget, context, asked);
      SearchContextId id =
          new SearchContextId(Kind.SCROLL, context.id(), nowMillis, members(found.answered()));
      SearchAnswer first = first(opening, found, id, context, budget);
      PartialResults.check(opening.state(), opening.searchOptions(), first.shards().failures());
      answered = true;
      return first;
    } finally {
      if (!answered) {
        SearchContextId id =
            new SearchContextId(Kind.SCROLL, context.id(), nowMillis, List.copyOf(asked));
        contexts.release(opening.state(), List.of(id));
      }
    }
  }

  private Found found(
      Opening opening,
      ShardRequests requests,
      SearchBudget budget,
      SearchCall.Context context,
      Queue<Member> asked)
      throws InterruptedException {
    List<Target> targets = opening.targets();
    Step step = new Step.OpenScroll(targets.size() == 1);
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          asked.add(member(target, copy));
          return answers.read(
              client.search(
                  copy,
                  new SearchCall(step, target.ordinal(), target.part(), context, budget.bounds())
                      .on(terms),
                  requests.of(target),
                  budget.patience()));
        };
    ShardOptions shardOptions = opening.shardOptions().planned(SearchKind.step("scroll", budget));
    return router.search(opening.state(), targets, shardOptions, asking);
  }

  private SearchAnswer first(
      Opening opening,
      Found found,
      SearchContextId id,
      SearchCall.Context context,
      SearchBudget budget)
      throws InterruptedException {
    Page page = page(opening.state(), opening.request(), found, context, budget);
    return new SearchAnswer(
        opening.request(),
        page.reduced(),
        new SearchResponseWriter.Shards(opening.targets().size(), 0, page.failures()),
        0,
        Map.of("_scroll_id", id.encoded()));
  }

  static List<Member> members(List<Answered> answered) {
    return answered.stream().map(answer -> member(answer.target(), answer.copy())).toList();
  }

  private static Member member(Target target, CopyAddress copy) {
    return new Member(
        target.index().name(), target.shard().shard(), copy.node().nodeId(), target.filter());
  }

  static SearchContextId parse(String text) {
    return SearchContextId.parse(Kind.SCROLL, text)
        .orElseThrow(() -> new ApiException(ErrorBody.illegalArgument("Cannot parse scroll id")));
  }

  /**
   * @param keepAliveMillis the keep-alive after this page; 0 keeps the previous value
   */
  SearchAnswer next(ClusterState state, String scrollId, long keepAliveMillis, SearchBudget budget)
      throws InterruptedException {
    SearchContextId id = parse(scrollId);
    if (id.shards().isEmpty()) {
      return overNothing(scrollId);
    }
    SearchCall.Context context = new SearchCall.Context(id.context(), keepAliveMillis);
    PinnedTargets pinned = PinnedTargets.of(state, id, null);
    Step step = new Step.NextPage(id.shards().size() == 1);
    Map<Integer, ShardSearchRequest> requests = new ConcurrentHashMap<>();
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          PackedReader answer =
              new PackedReader(
                  client.search(
                      copy,
                      new SearchCall(step, target.ordinal(), null, context, budget.bounds())
                          .on(terms),
                      new byte[0],
                      budget.patience()));
          requests.putIfAbsent(0, ShardSearchRequest.fromBytes(answer.readBytes()));
          return answers.read(answer.readBytes());
        };
    ShardOptions shardOptions = ShardOptions.ANY.planned(SearchKind.step("scroll-next", budget));
    Found found = router.tryAll(state, pinned.targets(), shardOptions, asking);
    List<ShardFailure> failures = new ArrayList<>(pinned.gone());
    failures.addAll(found.failures());
    ShardSearchRequest first = requests.get(0);
    if (first == null) {
      throw new ApiException(SearchFailures.allFailed(failures));
    }
    Page page = page(state, first.search(), new Found(found.answered(), failures), context, budget);
    return new SearchAnswer(
        first.search(),
        page.reduced(),
        new SearchResponseWriter.Shards(id.shards().size(), 0, page.failures()),
        0,
        Map.of("_scroll_id", scrollId));
  }

  /** Returns a page of a scroll without shards. All its pages are empty, like its first page. */
  private static SearchAnswer overNothing(String scrollId) {
    SearchRequest nothing = SearchRules.countingAll(SearchRequest.parse(new byte[0], Map.of()));
    return new SearchAnswer(
        nothing,
        SearchReducer.reduce(nothing, List.of()),
        new SearchResponseWriter.Shards(0, 0, List.of()),
        0,
        Map.of("_scroll_id", scrollId));
  }

  private Page page(
      ClusterState state,
      SearchRequest request,
      Found found,
      SearchCall.Context context,
      SearchBudget budget)
      throws InterruptedException {
    Reduced reduced = SearchReducer.reduce(request, found.answers(), Searches.maxBuckets(state));
    return found.answered().size() + found.failures().size() <= 1
        ? new Page(reduced, found.failures())
        : taken(state, reduced, found, context, budget);
  }

  /** Reads the selected hits and replaces their placeholders. */
  private Page taken(
      ClusterState state,
      Reduced reduced,
      Found found,
      SearchCall.Context context,
      SearchBudget budget)
      throws InterruptedException {
    Map<Integer, Integer> counts = new HashMap<>();
    IdentityHashMap<ShardHit, Integer> ordinals = new IdentityHashMap<>();
    for (Answered answered : found.answered()) {
      answered.result().hits().forEach(hit -> ordinals.put(hit, answered.target().ordinal()));
    }
    reduced.hits().forEach(hit -> counts.merge(ordinals.get(hit.hit()), 1, Integer::sum));
    List<Target> targets = new ArrayList<>();
    for (Answered answered : found.answered()) {
      Target target = answered.target();
      if (counts.containsKey(target.ordinal())) {
        targets.add(target.at(answered.copy().node().nodeId()));
      }
    }
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          Step take = new Step.Take(counts.getOrDefault(target.ordinal(), 0));
          return answers.read(
              client.search(
                  copy,
                  new SearchCall(take, target.ordinal(), null, context, budget.bounds()).on(terms),
                  new byte[0],
                  budget.patience()));
        };
    ShardOptions shardOptions = ShardOptions.ANY.planned(SearchKind.step("scroll-take", budget));
    Found read = router.tryAll(state, targets, shardOptions, asking);
    Map<Integer, List<ShardHit>> hitsOfShards = new HashMap<>();
    for (Answered answered : read.answered()) {
      hitsOfShards.put(answered.target().ordinal(), answered.result().hits());
    }
    List<ShardFailure> failures = new ArrayList<>(found.failures());
    failures.addAll(read.failures());
    return new Page(reduced.withHits(filled(reduced, ordinals, hitsOfShards)), failures);
  }

  private static List<IndexHit> filled(
      Reduced reduced,
      IdentityHashMap<ShardHit, Integer> ordinals,
      Map<Integer, List<ShardHit>> read) {
    Map<Integer, Integer> used = new HashMap<>();
    List<IndexHit> hits = new ArrayList<>();
    for (IndexHit chosen : reduced.hits()) {
      Integer ordinal = ordinals.get(chosen.hit());
      List<ShardHit> ofShard = read.get(ordinal);
      int place = used.merge(ordinal, 1, Integer::sum) - 1;
      if (ofShard != null && place < ofShard.size()) {
        hits.add(new IndexHit(chosen.index(), chosen.shard(), chosen.node(), ofShard.get(place)));
      }
    }
    return hits;
  }

  int clearAll(ClusterState state) throws InterruptedException {
    return contexts.releaseScrolls(state);
  }

  ContextNodes.Released clear(ClusterState state, List<SearchContextId> ids)
      throws InterruptedException {
    return contexts.release(state, ids);
  }
}
