package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.coordinator.rest.search.SearchRouter.Ways;
import io.varve.coordinator.rest.shard.SearchCall;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.query.Query;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The round before a search over many shards: each is asked whether the query can match there at
 * all, and those that can't are passed over. One is always searched, as somebody has to say what an
 * empty answer looks like. A shard that does not say is searched.
 */
final class PreFilter {

  private static final ShardSearchResult NOTHING =
      new ShardSearchResult(0, true, Float.NaN, List.of(), ShardSearchResult.Cut.NOTHING, -1, 0);

  /** Aggregations that have something to say of documents that don't match. */
  private static final Pattern NEEDS_ALL =
      Pattern.compile("\"(global|min_doc_count|suggest|significant_t[a-z]+)\"");

  private final SearchRouter router;
  private final ShardClient client;

  PreFilter(SearchRouter router, ShardClient client) {
    this.router = router;
    this.client = client;
  }

  /** The shards that are worth a search. */
  List<Target> worth(
      ClusterState state,
      SearchRequest request,
      List<Target> targets,
      SearchHow how,
      ShardRequests requests,
      SearchCall.@Nullable Context context,
      SearchBudget budget)
      throws InterruptedException {
    if (targets.size() <= how.effort().preFilterFrom() || !helps(request, targets)) {
      return targets;
    }
    Set<Target> hopeless = ConcurrentHashMap.newKeySet();
    SearchRouter.Asking asking =
        (copy, target) -> {
          budget.check();
          SearchCall call =
              new SearchCall(
                  new SearchCall.Step.CanMatch(), target.ordinal(), null, context, budget.bounds());
          byte[] answer = client.search(copy, call, requests.of(target), budget.patience());
          if (answer.length == 1 && answer[0] == 0) {
            hopeless.add(target);
          }
          return NOTHING;
        };
    Ways ways = new Ways(how.where().preference().copies(), how.effort().perNode());
    Found unused = router.tryAll(state, targets, ways, asking);
    if (hopeless.size() == targets.size()) {
      return List.of(targets.getFirst());
    }
    return unused.answered().isEmpty()
        ? targets
        : targets.stream().filter(target -> !hopeless.contains(target)).toList();
  }

  private static boolean helps(SearchRequest request, List<Target> targets) {
    boolean narrowed = targets.stream().anyMatch(target -> target.filter() != null);
    return (narrowed || !(request.query() instanceof Query.MatchAll))
        && !NEEDS_ALL.matcher(new String(request.origin().body(), StandardCharsets.UTF_8)).find();
  }
}
