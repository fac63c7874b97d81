package io.varve.coordinator.rest.search;

import io.varve.client.SearchCall;
import io.varve.client.ShardClient;
import io.varve.client.consistency.Reading;
import io.varve.coordinator.rest.search.SearchRouter.ShardOptions;
import io.varve.coordinator.rest.search.SearchRouter.Target;
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

  Worth worth(SearchRun run, SearchRequest request, ShardRequests requests)
      throws InterruptedException {
    List<Target> targets = run.targets();
    SearchOptions.Effort effort = run.searchOptions().effort();
    boolean helps = helps(request, targets);
    // If all shards are asked in parallel, none can be skipped because of another's answer.
    PageFloor floor = targets.size() > effort.perNode() ? PageFloor.of(request) : null;
    if (floor == null && !(helps && targets.size() > effort.preFilterFrom())) {
      return new Worth(targets, Map.of(), null);
    }
    CanMatchAnswers answers = new CanMatchAnswers();
    askAll(run, requests, answers);
    List<Target> left = new ArrayList<>(targets);
    if (helps) {
      left.removeAll(answers.hopeless);
    }
    if (left.isEmpty()) {
      left.add(targets.getFirst());
    }
    // An abandoned copy may still answer.
    Map<Target, CanMatch.Bounds> known = Map.copyOf(answers.bounds);
    if (floor != null) {
      left.sort((a, b) -> floor.compare(known.get(a), known.get(b)));
    }
    return new Worth(left, known, floor);
  }

  /** The answers so far; copies answer in parallel. */
  private static final class CanMatchAnswers {
    final Set<Target> hopeless = ConcurrentHashMap.newKeySet();
    final Map<Target, CanMatch.Bounds> bounds = new ConcurrentHashMap<>();

    void add(Target target, CanMatch answer) {
      if (!answer.possible()) {
        hopeless.add(target);
      }
      CanMatch.Bounds known = answer.bounds();
      if (known != null) {
        bounds.put(target, known);
      }
    }
  }

  private void askAll(SearchRun run, ShardRequests requests, CanMatchAnswers answers)
      throws InterruptedException {
    SearchOptions options = run.searchOptions();
    // A copy that waits until it shows what the read requires is not silent.
    SearchBudget look =
        options.promise().isNone() ? run.budget().within(TIMEOUT, clock) : run.budget();
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          look.check();
          SearchCall call =
              new SearchCall(
                  new SearchCall.Step.CanMatch(),
                  target.ordinal(),
                  null,
                  run.context(),
                  look.bounds(),
                  terms);
          byte[] answer = client.search(copy, call, requests.of(target), look.patience());
          answers.add(target, CanMatch.fromBytes(answer));
          return NOTHING;
        };
    ShardOptions shardOptions =
        new ShardOptions(
                options.where().preference().copies(),
                options.effort().perNode(),
                run.context() == null
                    ? Reading.begin(options.promise(), run.state(), clock)
                    : Reading.ANY)
            .planned(SearchKind.step("can-match", look));
    var _ = router.tryAll(run.state(), run.targets(), shardOptions, asking);
  }

  private static boolean helps(SearchRequest request, List<Target> targets) {
    boolean narrowed = targets.stream().anyMatch(target -> target.filter() != null);
    return (narrowed || !(request.query() instanceof Query.MatchAll))
        && !NEEDS_ALL.matcher(new String(request.origin().body(), StandardCharsets.UTF_8)).find();
  }
}
