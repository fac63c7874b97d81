package io.varve.coordinator.rest.search;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.SearchCall.Step;
import io.varve.client.ShardClient;
import io.varve.client.consistency.KnownSeqNos;
import io.varve.client.consistency.Reading;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.ShardOptions;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.memory.ParentBreaker;
import io.varve.rest.TimeText;
import io.varve.rpc.ApiException;
import io.varve.search.SearchReducer;
import io.varve.search.SearchRequest;
import io.varve.search.SearchResponseWriter;
import io.varve.search.ShardSearchContext;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.aggregation.result.BucketLimit;
import io.varve.text.TimeValues;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** Executes all kinds of searches, from the request to the answer. */
public final class Searches {

  private final ClusterAccess cluster;
  private final SearchRouter router;
  private final ShardClient client;
  private final Tasks tasks;
  private final InstantSource clock;
  private final KnownSeqNos known;
  private final PreFilter preFilter;
  private final StatisticsPhase statistics;
  private final Around around;
  private final ShardAnswers answers;
  private final Scrolls scrolls;
  private final Pits pits;

  /** The steps before the shards are asked, and after they have answered. */
  record Around(
      SearchGathering gathering,
      GroupSearches groups,
      Tasks tasks,
      KnownSeqNos known,
      ParentBreaker memory) {}

  Searches(
      ClusterAccess cluster,
      SearchRouter router,
      ShardClient client,
      ContextNodes contexts,
      Around around,
      InstantSource clock) {
    this.cluster = cluster;
    this.router = router;
    this.client = client;
    this.tasks = around.tasks();
    this.known = around.known();
    this.clock = clock;
    this.preFilter = new PreFilter(router, client, cluster.clock());
    this.statistics = new StatisticsPhase(router, client);
    this.around = around;
    this.answers = new ShardAnswers(around.memory());
    this.scrolls = new Scrolls(router, client, contexts, answers);
    this.pits = new Pits(cluster, router, client, contexts, clock);
  }

  Scrolls scrolls() {
    return scrolls;
  }

  Pits pits() {
    return pits;
  }

  /** Rejects invalid requests before anything is executed. */
  static SearchRequest checked(SearchRequest request, SearchOptions searchOptions) {
    SearchRequest counted =
        searchOptions.totalAsNumber() ? SearchRules.withNumberAsTotal(request) : request;
    SearchRules.check(counted, searchOptions);
    return searchOptions.scroll() == null ? counted : SearchRules.countingAll(counted);
  }

  /** Runs a search as the task of the request, if there is one. */
  SearchAnswer search(SearchRequest request, SearchOptions searchOptions)
      throws InterruptedException {
    return search(request, searchOptions, Tasks.current());
  }

  SearchAnswer search(SearchRequest request, SearchOptions searchOptions, @Nullable Task task)
      throws InterruptedException {
    ScheduledFuture<?> cancelling = cancelInTime(searchOptions, task);
    try {
      return run(request, searchOptions, task);
    } catch (ApiException e) {
      if (task != null) {
        // After a cancellation, report it instead of the shard errors that it causes.
        task.check();
      }
      throw e;
    } finally {
      if (cancelling != null) {
        cancelling.cancel(false);
      }
    }
  }

  private @Nullable ScheduledFuture<?> cancelInTime(
      SearchOptions searchOptions, @Nullable Task task) {
    String text = searchOptions.effort().cancelAfter();
    String usual = ClusterSettings.value(cluster.state(), ClusterSettings.CANCEL_AFTER);
    long millis = -1;
    if (text != null) {
      millis = TimeValues.parseMillis("cancel_after_time_interval", text);
    } else if (usual != null) {
      millis = TimeValues.clampedMillis(ClusterSettings.CANCEL_AFTER, usual);
    }
    return task == null || millis <= 0
        ? null
        : tasks.cancelAfter(
            task,
            millis,
            "Cancellation timeout of " + TimeText.of(Duration.ofMillis(millis)) + " is expired");
  }

  private SearchAnswer run(SearchRequest request, SearchOptions searchOptions, @Nullable Task task)
      throws InterruptedException {
    long began = System.nanoTime();
    ClusterState state = cluster.state();
    RequestLimits.check(state, request);
    SearchBudget budget = SearchBudget.of(state, request, cluster.clock(), task);
    SearchRequest.PointInTime pit = request.scope().pit();
    if (pit != null) {
      SearchRules.checkPromiseOfPit(searchOptions);
      return inPit(state, request, searchOptions, budget, began);
    }
    List<SearchIndex> indices = SearchTargets.indices(state, searchOptions.where());
    List<IndexMetadata> searched = indices.stream().map(SearchIndex::index).toList();
    SearchRules.checkLimits(request, searchOptions, searched);
    SearchRules.checkSort(request, searched);
    List<Target> targets =
        SearchTargets.of(indices, searchOptions.where().preference(), request.scope().slice());
    ShardOptions shardOptions =
        new ShardOptions(
            searchOptions.where().preference().copies(),
            searchOptions.effort().perNode(),
            Reading.begin(searchOptions.promise(), state, cluster.clock()));
    SearchRun run = new SearchRun(state, searchOptions, budget, targets, shardOptions, null);
    ShardSearchRequest shardRequest = shardRequest(run, request, searched);
    SearchOptions.Scrolling scroll = searchOptions.scroll();
    SearchAnswer answer =
        scroll == null
            ? once(run, request, shardRequest)
            : scrolls.open(
                new Scrolls.Opening(
                    state,
                    request,
                    searchOptions,
                    targets,
                    shardOptions,
                    scroll.keepAliveMillis(state)),
                new ShardRequests(shardRequest, targets),
                budget,
                clock.millis());
    PartialResults.check(state, searchOptions, answer.shards().failures());
    return answer.took(began);
  }

  private SearchAnswer inPit(
      ClusterState state,
      SearchRequest request,
      SearchOptions searchOptions,
      SearchBudget budget,
      long began)
      throws InterruptedException {
    Pits.Opened pit = pits.use(state, request);
    SearchRules.checkLimits(request, searchOptions, pit.indices());
    SearchRules.checkSort(request, pit.indices());
    ShardOptions shardOptions = new ShardOptions(null, searchOptions.effort().perNode());
    SearchRun run =
        new SearchRun(state, searchOptions, budget, pit.targets(), shardOptions, pit.context());
    SearchAnswer answer =
        once(run, request, shardRequest(run, request, pit.indices())).without(pit.gone());
    PartialResults.check(state, searchOptions, answer.shards().failures());
    return answer.took(began).with("pit_id", pit.id());
  }

  /** Returns the request with all data that the shards need. */
  private ShardSearchRequest shardRequest(
      SearchRun run, SearchRequest request, List<IndexMetadata> indices)
      throws InterruptedException {
    ShardSearchContext context =
        around.gathering().of(run.state(), request, run.searchOptions().where().options(), indices);
    ShardSearchRequest plain = new ShardSearchRequest(request, clock.millis()).in(context);
    return run.searchOptions().globalStatistics()
        ? plain.in(context.with(statistics.gather(run, plain)))
        : plain;
  }

  private SearchAnswer once(SearchRun run, SearchRequest request, ShardSearchRequest shardRequest)
      throws InterruptedException {
    ShardRequests requests = new ShardRequests(shardRequest, run.targets());
    PreFilter.Worth worth = preFilter.worth(run, request, requests);
    ArrivingAnswers arriving =
        new ArrivingAnswers(request, run.searchOptions().effort().batchedReduce(), around.memory());
    SearchRouter.Asking asking = asking(run, request, requests);
    Found found =
        router.search(
            run.state(),
            worth.targets(),
            run.shardOptions().planned(SearchKind.plan(request, run.searchOptions(), run.budget())),
            new Passing(worth, asking),
            result -> result.equals(PreFilter.NOTHING) ? result : arriving.add(worth.add(result)));
    SearchReducer.Reduced merged =
        arriving.reduced(found.inTheirOrder().answers(), maxBuckets(run.state()));
    SearchReducer.Reduced reduced = found.isLate() ? merged.late() : merged;
    SearchReducer.Reduced filled =
        around
            .groups()
            .filled(request, reduced, inner -> once(run, inner, shardRequest.of(inner)).reduced());
    SearchAnswer answer =
        new SearchAnswer(
            request,
            filled,
            new SearchResponseWriter.Shards(
                run.targets().size(),
                run.targets().size() - worth.targets().size(),
                found.failures(),
                run.searchOptions().showsSeqNos() ? FoundSections.seqNos(found) : Map.of()),
            0,
            arriving.merges() > 1 ? Map.of("num_reduce_phases", arriving.merges()) : Map.of(),
            Map.of());
    return request.ranking().profile()
        ? answer.behind("profile", Map.of("shards", FoundSections.profiles(found)))
        : answer;
  }

  /** Skips shards whose documents can no longer appear on the page. */
  private record Passing(PreFilter.Worth worth, SearchRouter.Asking asking)
      implements SearchRouter.Asking {

    @Override
    public ShardSearchResult ask(CopyAddress copy, Target target, CallTerms terms)
        throws InterruptedException {
      return asking.ask(copy, target, terms);
    }

    @Override
    public Optional<ShardSearchResult> known(Target target) {
      return worth.isBehind(target) ? Optional.of(PreFilter.NOTHING) : Optional.empty();
    }
  }

  private SearchRouter.Asking asking(SearchRun run, SearchRequest request, ShardRequests requests) {
    Boolean requested = run.searchOptions().effort().requestCache();
    boolean cached = CachePolicy.allows(request, requested);
    return (copy, target, terms) -> {
      Step step = new Step.Once(cached && CachePolicy.allows(target, requested));
      ShardSearchResult result =
          answers.read(run.ask(client, copy, requests.of(target), run.call(target, step, terms)));
      if (run.context() == null) {
        known.heard(copy, result.visibleSeqNo());
      }
      return result;
    };
  }

  /** Limit of the buckets of a response. */
  static int maxBuckets(ClusterState state) {
    String configured = ClusterSettings.value(state, ClusterSettings.MAX_BUCKETS);
    return configured == null ? BucketLimit.DEFAULT : Integer.parseInt(configured);
  }
}
