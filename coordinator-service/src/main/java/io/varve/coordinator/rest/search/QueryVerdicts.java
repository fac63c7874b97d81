package io.varve.coordinator.rest.search;

import io.varve.client.SearchCall;
import io.varve.client.SearchCall.Step;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.ShardOptions;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.query.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Asks shards to validate a query. */
final class QueryVerdicts {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final ShardSearchResult NOTHING =
      new ShardSearchResult(0, true, Float.NaN, List.of(), ShardSearchResult.Cut.NOTHING, -1, 0);

  /** OpenSearch's explanation of match_all. */
  private static final String MATCH_ALL =
      "ApproximateScoreQuery(originalQuery=*:*, approximationQuery=Approximate(*:*))";

  private final SearchRouter router;
  private final ShardClient client;
  private final InstantSource clock;

  QueryVerdicts(SearchRouter router, ShardClient client, InstantSource clock) {
    this.router = router;
    this.client = client;
    this.clock = clock;
  }

  /**
   * One shard's answer.
   *
   * @param error why the query is invalid on this shard; null if it is valid
   * @param failure why the shard did not answer; null if it did
   */
  record Verdict(
      String index,
      int shard,
      @Nullable String explanation,
      @Nullable String error,
      @Nullable ErrorBody failure) {}

  List<Verdict> of(
      ClusterState state,
      SearchRequest request,
      SearchOptions.Where where,
      boolean rewritten,
      boolean allShards)
      throws InterruptedException {
    List<Target> targets =
        SearchTargets.of(SearchTargets.indices(state, where), where.preference(), null);
    if (!allShards) {
      targets = firstOfEach(targets);
    }
    ShardRequests requests =
        new ShardRequests(new ShardSearchRequest(request, clock.millis()), targets);
    Map<Target, String> explanations = new ConcurrentHashMap<>();
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          SearchCall call =
              new SearchCall(
                  new Step.Explain(rewritten),
                  target.ordinal(),
                  null,
                  null,
                  SearchCall.Bounds.NONE,
                  terms);
          byte[] answer = client.search(copy, call, requests.of(target), TIMEOUT);
          explanations.put(target, new String(answer, StandardCharsets.UTF_8));
          return NOTHING;
        };
    Found found = router.tryAll(state, targets, ShardOptions.ANY, asking);
    List<Verdict> verdicts = new ArrayList<>();
    found
        .answered()
        .forEach(answered ->
            verdicts.add(
                explained(answered.target(), request, explanations.get(answered.target()))));
    found.failures().forEach(failure -> verdicts.add(refused(failure)));
    return verdicts;
  }

  private static List<Target> firstOfEach(List<Target> targets) {
    Set<String> seen = new HashSet<>();
    return targets.stream().filter(target -> seen.add(target.index().uuid())).toList();
  }

  private static Verdict explained(
      Target target, SearchRequest request, @Nullable String explanation) {
    boolean all = target.filter() == null && request.query() instanceof Query.MatchAll;
    return new Verdict(
        target.index().name(), target.number(), all ? MATCH_ALL : explanation, null, null);
  }

  private static Verdict refused(ShardFailure failure) {
    ErrorBody reason = failure.reason();
    return reason.status() == 400
        ? new Verdict(
            failure.index(), failure.shard(), null, failure.index() + " " + text(reason), null)
        : new Verdict(failure.index(), failure.shard(), null, text(reason), reason);
  }

  /** Formats the error and its causes in one line: {@code ParsingException[…]; nested: …;}. */
  static String text(ErrorBody error) {
    StringBuilder text = new StringBuilder();
    for (ErrorBody at = error; at != null; at = at.causedBy()) {
      text.append(text.isEmpty() ? "" : "; nested: ")
          .append(camel(at.type()))
          .append('[')
          .append(at.reason())
          .append(']');
    }
    return text.append(';').toString();
  }

  private static String camel(String type) {
    StringBuilder camel = new StringBuilder();
    for (String word : type.split("_", -1)) {
      if (!word.isEmpty()) {
        camel.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    return camel.toString();
  }
}
