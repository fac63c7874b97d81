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
 * Runs the can-match round before a search over many shards: each shard reports whether the query
 * can match any of its documents, and shards without a possible match are skipped. At least one
 * shard is searched, because it defines the structure of an empty response. A shard that does not
 * answer is searched. For a sorted search, shards also report the range of their sort values.
 */
final class PreFilter {

  static final ShardSearchResult NOTHING =
      new ShardSearchResult(0, true, Float.NaN, List.of(), ShardSearchResult.Cut.NOTHING, -1, 0);

  /** Aggregations with buckets for documents that do not match. */
  private static final Pattern NEEDS_ALL =
      Pattern.compile("\"(global|min_doc_count|suggest|significant_t[a-z]+)\"");

  /** The maximum delay that a silent node causes in this round. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final SearchRouter router;
  private final ShardClient client;
  private final Ticker clock;

  PreFilter(SearchRouter router, ShardClient client, Ticker clock) {
    this.router = router;
    this.client = client;
    this.clock = clock;
  }

  /**
   * The shards that are worth searching.
   *
   * @param targets the shards; those that are likely to have the first hits come first
   * @param floor the lowest sort value on the page so far, by which a shard can be skipped after
   *     others have answered
   */
  record Worth(
      List<Target> targets, Map<Target, CanMatch.Bounds> bounds, @Nullable PageFloor floor) {

    /** Whether no document of the shard can affect the page or the count any more. */
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
      SearchOptions searchOptions,
      ShardRequests requests,
      SearchCall.@Nullable Context context,
      SearchBudget budget)
      throws InterruptedException {
    boolean filters =
        targets.size() > searchOptions.effort().preFilterFrom() && helps(request, targets);
    // If all shards are asked in parallel, no shard can be skipped because of the answer of
    // another.
    PageFloor floor =
        targets.size() > searchOptions.effort().perNode() ? PageFloor.of(request) : null;
    if (!filters && floor == null) {
      return new Worth(targets, Map.of(), null);
    }
    Set<Target> hopeless = ConcurrentHashMap.newKeySet();
    Map<Target, CanMatch.Bounds> bounds = new ConcurrentHashMap<>();
    // A copy that is waiting to keep the read promise is not unresponsive.
    SearchBudget look = searchOptions.promise().isNone() ? budget.within(TIMEOUT, clock) : budget;
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
                searchOptions.where().preference().copies(),
                searchOptions.effort().perNode(),
                context == null
                    ? Reading.begin(searchOptions.promise(), state, clock)
                    : Reading.ANY)
            .planned(SearchKind.step("can-match", look));
    var _ = router.tryAll(state, targets, ways, asking);
    List<Target> left = new ArrayList<>(targets);
    if (helps(request, targets)) {
      left.removeAll(hopeless);
    }
    if (left.isEmpty()) {
      left.add(targets.getFirst());
    }
    // An abandoned copy may still answer.
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
