package io.varve.coordinator.rest.search;

import io.varve.client.SearchCall;
import io.varve.client.SearchCall.Step;
import io.varve.client.ShardClient;
import io.varve.client.consistency.ReadPromise;
import io.varve.client.consistency.Reading;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.search.SearchContextId.Kind;
import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.coordinator.rest.search.SearchRouter.ShardOptions;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Opens, searches, lists and closes points in time. */
final class Pits {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final ShardSearchResult NOTHING =
      new ShardSearchResult(0, true, Float.NaN, List.of(), ShardSearchResult.Cut.NOTHING, -1, 0);

  private final ClusterAccess cluster;
  private final SearchRouter router;
  private final ShardClient client;
  private final ContextNodes contexts;
  private final InstantSource clock;

  Pits(
      ClusterAccess cluster,
      SearchRouter router,
      ShardClient client,
      ContextNodes contexts,
      InstantSource clock) {
    this.cluster = cluster;
    this.router = router;
    this.client = client;
    this.contexts = contexts;
    this.clock = clock;
  }

  /**
   * The point in time of a search.
   *
   * @param gone the shards that were lost since it was opened
   */
  record Opened(
      String id,
      SearchCall.Context context,
      List<IndexMetadata> indices,
      List<Target> targets,
      List<ShardFailure> gone) {}

  /**
   * @param allowPartial whether shards without a copy may be omitted
   */
  Map<String, Object> create(
      SearchOptions.Where where, String keepAlive, boolean allowPartial, ReadPromise promise)
      throws InterruptedException {
    ClusterState state = cluster.state();
    long keepAliveMillis = KeepAlive.ofPit(state, keepAlive);
    List<Target> targets =
        SearchTargets.of(SearchTargets.indices(state, where), where.preference(), null);
    long now = clock.millis();
    SearchCall.Context context =
        new SearchCall.Context(UUID.randomUUID().toString().replace("-", ""), keepAliveMillis);
    SearchRouter.Asking asking =
        (copy, target, terms) -> {
          client.search(
              copy,
              new SearchCall(
                  new Step.OpenPit(now),
                  target.ordinal(),
                  null,
                  context,
                  SearchCall.Bounds.NONE,
                  terms),
              (target.filter() == null ? "" : target.filter()).getBytes(StandardCharsets.UTF_8),
              TIMEOUT);
          return NOTHING;
        };
    ShardOptions shardOptions =
        new ShardOptions(
            where.preference().copies(),
            Integer.MAX_VALUE,
            Reading.begin(promise, state, cluster.clock()));
    Found found = router.search(state, targets, shardOptions, asking);
    SearchContextId id =
        new SearchContextId(Kind.PIT, context.id(), now, Scrolls.members(found.answered()));
    if (!allowPartial && !found.failures().isEmpty()) {
      contexts.release(state, List.of(id));
      throw new ApiException(SearchFailures.failed("Partial shards failure", found.failures()));
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("pit_id", id.encoded());
    answer.put("_shards", counts(targets.size(), found.failures()));
    answer.put("creation_time", now);
    return answer;
  }

  private static Map<String, Object> counts(int total, List<ShardFailure> failures) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("total", total);
    counts.put("successful", total - failures.size());
    counts.put("skipped", 0);
    counts.put("failed", failures.size());
    if (!failures.isEmpty()) {
      counts.put("failures", failures.stream().map(ShardFailure::toMap).toList());
    }
    return counts;
  }

  static SearchContextId parse(String text) {
    return SearchContextId.parse(Kind.PIT, text)
        .orElseThrow(
            () -> new ApiException(ErrorBody.illegalArgument("invalid id: [" + text + "]")));
  }

  Opened use(ClusterState state, SearchRequest request) {
    SearchRequest.PointInTime pit = Objects.requireNonNull(request.scope().pit());
    SearchContextId id = parse(pit.id());
    String keepAlive = pit.keepAlive();
    long keepAliveMillis = keepAlive == null ? 0 : KeepAlive.ofPit(state, keepAlive);
    PinnedTargets pinned = PinnedTargets.of(state, id, request.scope().slice());
    if (pinned.targets().isEmpty() && !pinned.gone().isEmpty()) {
      throw new ApiException(SearchFailures.allFailed(pinned.gone()));
    }
    List<IndexMetadata> indices = pinned.targets().stream().map(Target::index).distinct().toList();
    return new Opened(
        pit.id(),
        new SearchCall.Context(id.context(), keepAliveMillis),
        indices,
        pinned.targets(),
        pinned.gone());
  }

  Map<String, Object> list() throws InterruptedException {
    ClusterState state = cluster.state();
    List<Map<String, Object>> shown = new ArrayList<>();
    for (ContextNodes.OpenPit pit : contexts.pits(state).values()) {
      SearchContextId id = pit.id(state);
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("pit_id", id.encoded());
      one.put("creation_time", id.createdMillis());
      one.put("keep_alive", pit.keepAliveMillis());
      shown.add(one);
    }
    return Map.of("pits", shown);
  }

  Map<String, Object> delete(List<String> ids) throws InterruptedException {
    List<SearchContextId> parsed = ids.stream().map(Pits::parse).toList();
    return deleted(parsed, contexts.release(cluster.state(), parsed));
  }

  /** Builds the response. Closing a point in time that no longer exists also succeeds. */
  private static Map<String, Object> deleted(
      List<SearchContextId> ids, ContextNodes.Released released) {
    List<Map<String, Object>> pits = new ArrayList<>();
    for (SearchContextId id : ids) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("successful", !released.perhapsOpen().contains(id.context()));
      one.put("pit_id", id.encoded());
      pits.add(one);
    }
    return Map.of("pits", pits);
  }

  Map<String, Object> deleteAll() throws InterruptedException {
    ClusterState state = cluster.state();
    List<SearchContextId> open =
        contexts.pits(state).values().stream().map(pit -> pit.id(state)).toList();
    return deleted(open, contexts.release(state, open));
  }
}
