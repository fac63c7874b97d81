package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.search.SearchContextId.Kind;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.coordinator.rest.search.SearchRouter.Answered;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.coordinator.rest.search.SearchRouter.Ways;
import io.varve.coordinator.rest.shard.SearchCall;
import io.varve.coordinator.rest.shard.SearchCall.Step;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.events.PackedReader;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer;
import io.varve.search.SearchReducer.IndexHit;
import io.varve.search.SearchReducer.Reduced;
import io.varve.search.SearchRequest;
import io.varve.search.SearchResponseWriter;
import io.varve.search.ShardFailure;
import io.varve.search.ShardHit;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Scrolls over shards. Nothing of a scroll is kept here: its id says where the readers are, and the
 * nodes know how far each shard has come.
 *
 * <p>A page of one shard is read at once. Of several shards, each finds a page, the best of all are
 * chosen by score or sort values alone, and each shard then reads those of its hits that were
 * chosen and goes on behind them.
 */
final class Scrolls {

  private final SearchRouter router;
  private final ShardClient client;
  private final ContextNodes contexts;

  Scrolls(SearchRouter router, ShardClient client, ContextNodes contexts) {
    this.router = router;
    this.client = client;
    this.contexts = contexts;
  }

  /** What a scroll begins with. */
  record Opening(
      ClusterState state,
      SearchRequest request,
      List<Target> targets,
      Ways ways,
      long keepAliveMillis) {}

  private record Page(Reduced reduced, List<ShardFailure> failures) {}

  SearchAnswer open(Opening opening, ShardRequests requests, SearchBudget budget, long nowMillis)
      throws InterruptedException {
    List<Target> targets = opening.targets();
    SearchCall.Context context =
        new SearchCall.Context(
            UUID.randomUUID().toString().replace("-", ""), opening.keepAliveMillis());
    Step step = new Step.OpenScroll(targets.size() == 1);
    SearchRouter.Asking asking =
        (copy, target) ->
            ShardSearchResult.fromBytes(
                client.search(
                    copy,
                    new SearchCall(step, target.ordinal(), target.part(), context, budget.bounds()),
                    requests.of(target),
                    budget.patience()));
    Found found = router.search(opening.state(), targets, opening.ways(), asking);
    SearchContextId id =
        new SearchContextId(Kind.SCROLL, context.id(), nowMillis, members(found.answered()));
    Page page = page(opening.state(), opening.request(), found, context, budget);
    return new SearchAnswer(
        opening.request(),
        page.reduced(),
        new SearchResponseWriter.Shards(targets.size(), 0, page.failures()),
        0,
        Map.of("_scroll_id", id.encoded()));
  }

  static List<Member> members(List<Answered> answered) {
    return answered.stream()
        .map(answer ->
            new Member(
                answer.target().index().name(),
                answer.target().shard().shard(),
                answer.copy().node().nodeId(),
                answer.target().filter()))
        .toList();
  }

  static SearchContextId parse(String text) {
    return SearchContextId.parse(Kind.SCROLL, text)
        .orElseThrow(() -> new ApiException(ErrorBody.illegalArgument("Cannot parse scroll id")));
  }

  /**
   * @param keepAliveMillis how long the scroll stays after this page, 0 for as long as before
   */
  SearchAnswer next(ClusterState state, String scrollId, long keepAliveMillis, SearchBudget budget)
      throws InterruptedException {
    SearchContextId id = parse(scrollId);
    SearchCall.Context context = new SearchCall.Context(id.context(), keepAliveMillis);
    List<Target> targets = new ArrayList<>();
    List<ShardFailure> gone = new ArrayList<>();
    PinnedTargets.of(state, id, targets, gone);
    Step step = new Step.NextPage(id.shards().size() == 1);
    Map<Integer, ShardSearchRequest> requests = new ConcurrentHashMap<>();
    SearchRouter.Asking asking =
        (copy, target) -> {
          PackedReader answer =
              new PackedReader(
                  client.search(
                      copy,
                      new SearchCall(step, target.ordinal(), null, context, budget.bounds()),
                      new byte[0],
                      budget.patience()));
          requests.putIfAbsent(0, ShardSearchRequest.fromBytes(answer.readBytes()));
          return ShardSearchResult.fromBytes(answer.readBytes());
        };
    Found found = router.tryAll(state, targets, Ways.ANY, asking);
    List<ShardFailure> failures = new ArrayList<>(gone);
    failures.addAll(found.failures());
    ShardSearchRequest first = requests.get(0);
    if (first == null) {
      throw new ApiException(SearchRouter.allFailed(failures));
    }
    Page page = page(state, first.search(), new Found(found.answered(), failures), context, budget);
    return new SearchAnswer(
        first.search(),
        page.reduced(),
        new SearchResponseWriter.Shards(id.shards().size(), 0, page.failures()),
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

  /** Reads the hits that were chosen and puts them in the places of those that stood for them. */
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
        (copy, target) -> {
          Step take = new Step.Take(counts.getOrDefault(target.ordinal(), 0));
          return ShardSearchResult.fromBytes(
              client.search(
                  copy,
                  new SearchCall(take, target.ordinal(), null, context, budget.bounds()),
                  new byte[0],
                  budget.patience()));
        };
    Found read = router.tryAll(state, targets, Ways.ANY, asking);
    Map<Integer, List<ShardHit>> hitsOfShards = new HashMap<>();
    for (Answered answered : read.answered()) {
      hitsOfShards.put(answered.target().ordinal(), answered.result().hits());
    }
    List<ShardFailure> failures = new ArrayList<>(found.failures());
    failures.addAll(read.failures());
    return new Page(withHits(reduced, filled(reduced, ordinals, hitsOfShards)), failures);
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

  private static Reduced withHits(Reduced reduced, List<IndexHit> hits) {
    return new Reduced(
        reduced.total(),
        reduced.exact(),
        reduced.maxScore(),
        hits,
        reduced.timedOut(),
        reduced.terminatedEarly(),
        reduced.aggregations());
  }

  int clearAll(ClusterState state) throws InterruptedException {
    return contexts.releaseScrolls(state);
  }

  /** How many readers were let go. */
  int clear(ClusterState state, List<SearchContextId> ids) throws InterruptedException {
    return contexts.release(state, ids).values().stream().mapToInt(Integer::intValue).sum();
  }
}
