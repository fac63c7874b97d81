package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.TimeValues;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.coordinator.rest.TimeText;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.coordinator.rest.search.SearchRouter.Ways;
import io.varve.coordinator.rest.shard.SearchCall;
import io.varve.coordinator.rest.shard.SearchCall.Step;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.rpc.ApiException;
import io.varve.search.SearchReducer;
import io.varve.search.SearchRequest;
import io.varve.search.SearchResponseWriter;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.aggregation.result.BucketLimit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** Searches over the shards of indices, from the request to the answer, in all their kinds. */
public final class Searches {

  private final ClusterAccess cluster;
  private final SearchRouter router;
  private final ShardClient client;
  private final Tasks tasks;
  private final InstantSource clock;
  private final PreFilter preFilter;
  private final Scrolls scrolls;
  private final Pits pits;

  Searches(
      ClusterAccess cluster,
      SearchRouter router,
      ShardClient client,
      ContextNodes contexts,
      Tasks tasks,
      InstantSource clock) {
    this.cluster = cluster;
    this.router = router;
    this.client = client;
    this.tasks = tasks;
    this.clock = clock;
    this.preFilter = new PreFilter(router, client);
    this.scrolls = new Scrolls(router, client, contexts);
    this.pits = new Pits(cluster, router, client, contexts, clock);
  }

  Scrolls scrolls() {
    return scrolls;
  }

  Pits pits() {
    return pits;
  }

  /** Refuses what can't be asked for before anything is done. */
  static SearchRequest checked(SearchRequest request, SearchHow how) {
    SearchRequest counted = how.totalAsNumber() ? SearchRules.withNumberAsTotal(request) : request;
    SearchRules.check(counted, how);
    return how.scroll() == null ? counted : SearchRules.countingAll(counted);
  }

  /** Runs as the task of the request, if that is one. */
  SearchAnswer search(SearchRequest request, SearchHow how) throws InterruptedException {
    return search(request, how, Tasks.current());
  }

  SearchAnswer search(SearchRequest request, SearchHow how, @Nullable Task task)
      throws InterruptedException {
    ScheduledFuture<?> cancelling = cancelInTime(how, task);
    try {
      return run(request, how, task);
    } catch (ApiException e) {
      if (task != null) {
        // What the shards say of it is no news then.
        task.check();
      }
      throw e;
    } finally {
      if (cancelling != null) {
        cancelling.cancel(false);
      }
    }
  }

  private @Nullable ScheduledFuture<?> cancelInTime(SearchHow how, @Nullable Task task) {
    String text = how.effort().cancelAfter();
    String wanted =
        text == null ? ClusterSettings.value(cluster.state(), ClusterSettings.CANCEL_AFTER) : text;
    long millis =
        wanted == null ? -1 : TimeValues.parseMillis("cancel_after_time_interval", wanted);
    return task == null || millis <= 0
        ? null
        : tasks.cancelAfter(
            task,
            millis,
            "Cancellation timeout of " + TimeText.of(Duration.ofMillis(millis)) + " is expired");
  }

  private SearchAnswer run(SearchRequest request, SearchHow how, @Nullable Task task)
      throws InterruptedException {
    long began = System.nanoTime();
    ClusterState state = cluster.state();
    SearchBudget budget = SearchBudget.of(state, request, task);
    SearchRequest.PointInTime pit = request.scope().pit();
    if (pit != null) {
      return inPit(state, request, how, budget, began);
    }
    List<SearchIndex> indices = SearchTargets.indices(state, how.where());
    SearchRules.checkLimits(request, how, indices.stream().map(SearchIndex::index).toList());
    List<Target> targets =
        SearchTargets.of(indices, how.where().preference(), request.scope().slice());
    ShardRequests requests =
        new ShardRequests(new ShardSearchRequest(request, clock.millis()), targets);
    Ways ways = new Ways(how.where().preference().copies(), how.effort().perNode());
    String scroll = how.scroll();
    SearchAnswer answer =
        scroll == null
            ? once(new Once(state, request, targets, how, null), requests, ways, budget)
            : scrolls.open(
                new Scrolls.Opening(
                    state, request, targets, ways, KeepAlive.ofScroll(state, scroll)),
                requests,
                budget,
                clock.millis());
    refusePartial(state, how, answer.shards().failures());
    return answer.took(began);
  }

  private SearchAnswer inPit(
      ClusterState state, SearchRequest request, SearchHow how, SearchBudget budget, long began)
      throws InterruptedException {
    Pits.Opened pit = pits.use(state, request);
    SearchRules.checkLimits(request, how, pit.indices());
    ShardRequests requests =
        new ShardRequests(new ShardSearchRequest(request, clock.millis()), pit.targets());
    Ways ways = new Ways(null, how.effort().perNode());
    SearchAnswer answer =
        once(new Once(state, request, pit.targets(), how, pit.context()), requests, ways, budget);
    refusePartial(state, how, answer.shards().failures());
    return answer.took(began).with("pit_id", pit.id());
  }

  private SearchRouter.Asking call(
      ShardRequests requests,
      SearchCall.@Nullable Context context,
      SearchRequest request,
      SearchHow how,
      SearchBudget budget) {
    Boolean wish = how.effort().requestCache();
    boolean cached = CachePolicy.allows(request, wish);
    return (copy, target) -> {
      budget.check();
      SearchCall call =
          new SearchCall(
              new Step.Once(cached && CachePolicy.allows(target, wish)),
              target.ordinal(),
              target.part(),
              context,
              budget.bounds());
      return ShardSearchResult.fromBytes(
          client.search(copy, call, requests.of(target), budget.patience()));
    };
  }

  /** A search that is over when it is answered. */
  private record Once(
      ClusterState state,
      SearchRequest request,
      List<Target> targets,
      SearchHow how,
      SearchCall.@Nullable Context context) {}

  private SearchAnswer once(Once once, ShardRequests requests, Ways ways, SearchBudget budget)
      throws InterruptedException {
    ClusterState state = once.state;
    SearchRequest request = once.request;
    List<Target> targets = once.targets;
    List<Target> worth =
        preFilter.worth(state, request, targets, once.how, requests, once.context, budget);
    SearchRouter.Asking asking = call(requests, once.context, request, once.how, budget);
    ArrivingAnswers arriving = new ArrivingAnswers(request, once.how.effort().batchedReduce());
    Found found =
        router.search(state, worth, ways, (copy, target) -> arriving.add(asking.ask(copy, target)));
    SearchReducer.Reduced reduced = arriving.reduced(found.answers(), maxBuckets(state));
    return new SearchAnswer(
        request,
        reduced,
        new SearchResponseWriter.Shards(
            targets.size(), targets.size() - worth.size(), found.failures()),
        0,
        arriving.merges() > 1 ? Map.of("num_reduce_phases", arriving.merges()) : Map.of());
  }

  /** How many buckets an answer may have. */
  static int maxBuckets(ClusterState state) {
    String said = ClusterSettings.value(state, ClusterSettings.MAX_BUCKETS);
    return said == null ? BucketLimit.DEFAULT : Integer.parseInt(said);
  }

  private static void refusePartial(
      ClusterState state, SearchHow how, List<ShardFailure> failures) {
    Boolean said = how.effort().allowPartial();
    boolean allowed =
        said == null
            ? "true".equals(ClusterSettings.value(state, ClusterSettings.ALLOW_PARTIAL_RESULTS))
            : said;
    if (!allowed && !failures.isEmpty()) {
      throw new ApiException(SearchRouter.failed("Partial shards failure", failures));
    }
  }
}
