package io.varve.coordinator.rest.search;

import io.varve.client.SearchCall;
import io.varve.client.ShardClient;
import io.varve.client.consistency.Reading;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.coordinator.rest.search.SearchRouter.Ways;
import io.varve.process.Ticker;
import io.varve.search.CanMatch;
import io.varve.search.PageFloor;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.query.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The round before a search over many shards: each is asked whether the query can match there at
 * all, and those that can't are passed over. One is always searched, as somebody has to say what an
 * empty answer looks like. A shard that does not say is searched. Of a sorted search each says too
 * between which values its documents are.
 */
final class PreFilter {

  static final ShardSearchResult NOTHING =
      new ShardSearchResult(0, true, Float.NaN, List.of(), ShardSearchResult.Cut.NOTHING, -1, 0);

  /** Aggregations that have something to say of documents that don't match. */
  private static final Pattern NEEDS_ALL =
      Pattern.compile("\"(global|min_doc_count|suggest|significant_t[a-z]+)\"");

  /** What a silent node may cost a search that is only looking ahead. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final SearchRouter router;
  private final ShardClient client;
  private final Ticker clock;

  PreFilter(SearchRouter router, ShardClient client, Ticker clock) {
    this.router = router;
    this.client = client;
    this.clock = clock;
  }

  /**
   * The shards that are worth a search.
   *
   * @param targets those likely to have the first hits come first
   * @param floor of the page, where shards can be passed over while others answer
   */
  record Worth(
      List<Target> targets, Map<Target, CanMatch.Bounds> bounds, @Nullable PageFloor floor) {

    /** Whether nothing that the shard has can be shown or counted any more. */
    boolean isBehind(Target target) {
      CanMatch.Bounds known = bounds.get(target);
      return floor != null && known != null && floor.isBehind(known);
    }

    ShardSearchResult add(ShardSearchResult result) {
      if (floor != null) {
        floor.add(result);
      }
      return result;
    }
  }

  Worth worth(
      ClusterState state,
      SearchRequest request,
      List<Target> targets,
      SearchHow how,
      ShardRequests requests,
      SearchCall.@Nullable Context context,
      SearchBudget budget)
      throws InterruptedException {
    boolean filters = targets.size() > how.effort().preFilterFrom() && helps(request, targets);
    // Where all are asked at the same time, none can be passed over for what another found.
    PageFloor floor = targets.size() > how.effort().perNode() ? PageFloor.of(request) : null;
    if (!filters && floor == null) {
      return new Worth(targets, Map.of(), null);
    }
    Set<Target> hopeless = ConcurrentHashMap.newKeySet();
    Map<Target, CanMatch.Bounds> bounds = new ConcurrentHashMap<>();
    // A copy that shows in time what was promised is none that is silent.
    SearchBudget look = how.promise().isNone() ? budget.within(PATIENCE, clock) : budget;
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          look.check();
          SearchCall call =
              new SearchCall(
                  new SearchCall.Step.CanMatch(),
                  target.ordinal(),
                  null,
                  context,
                  look.bounds(),
                  terms);
          byte[] answer = client.search(copy, call, requests.of(target), look.patience());
          CanMatch said = CanMatch.fromBytes(answer);
          if (!said.possible()) {
            hopeless.add(target);
          }
          CanMatch.Bounds known = said.bounds();
          if (known != null) {
            bounds.put(target, known);
          }
          return NOTHING;
        };
    Ways ways =
        new Ways(
                how.where().preference().copies(),
                how.effort().perNode(),
                context == null ? Reading.begin(how.promise(), state, clock) : Reading.ANY)
            .planned(SearchKind.step("can-match", look));
    var _ = router.tryAll(state, targets, ways, asking);
    List<Target> left = new ArrayList<>(targets);
    if (helps(request, targets)) {
      left.removeAll(hopeless);
    }
    if (left.isEmpty()) {
      left.add(targets.getFirst());
    }
    // Who was given up may say it still.
    Map<Target, CanMatch.Bounds> known = Map.copyOf(bounds);
    if (floor != null) {
      left.sort((a, b) -> floor.compare(known.get(a), known.get(b)));
    }
    return new Worth(left, known, floor);
  }

  private static boolean helps(SearchRequest request, List<Target> targets) {
    boolean narrowed = targets.stream().anyMatch(target -> target.filter() != null);
    return (narrowed || !(request.query() instanceof Query.MatchAll))
        && !NEEDS_ALL.matcher(new String(request.origin().body(), StandardCharsets.UTF_8)).find();
  }
}
