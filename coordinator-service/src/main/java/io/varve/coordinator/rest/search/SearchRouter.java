package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer.ShardAnswer;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks one copy of each shard, all shards at the same time. A copy that fails is followed by the
 * next one in the selector's order, each asked once; when the last one failed too, the shard is a
 * failure in the answer. What a request itself is to blame for (status below 500) is not tried
 * again. A search in which every shard failed fails as a whole.
 */
public final class SearchRouter {

  private final ShardClient client;
  private final CopySelector selector;
  private final Parallel parallel;

  public SearchRouter(ShardClient client, CopySelector selector, Parallel parallel) {
    this.client = client;
    this.selector = selector;
    this.parallel = parallel;
  }

  /**
   * One shard of one index, as it was when the search began.
   *
   * @param filter the JSON of a query that narrows the search there, null for none
   */
  record Target(IndexMetadata index, ShardRouting shard, @Nullable String filter) {}

  /** What the shards found; at least one did, unless there was none to ask. */
  record Found(List<ShardAnswer> answers, List<ShardFailure> failures) {}

  private sealed interface Outcome {
    record Answered(ShardAnswer answer) implements Outcome {}

    record Failed(ShardFailure failure) implements Outcome {}
  }

  /** {@code request} is encoded once for all shards with the same filter. */
  Found search(
      ClusterState state,
      List<Target> targets,
      ShardSearchRequest request,
      @Nullable String preference,
      Duration timeout)
      throws InterruptedException {
    Map<Optional<String>, byte[]> encoded = new HashMap<>();
    for (Target target : targets) {
      encoded.computeIfAbsent(
          Optional.ofNullable(target.filter()),
          filter -> request.narrowedBy(filter.orElse(null)).toBytes());
    }
    List<Outcome> outcomes =
        parallel.map(
            targets,
            target ->
                ask(
                    state,
                    target,
                    Objects.requireNonNull(encoded.get(Optional.ofNullable(target.filter()))),
                    preference,
                    timeout));
    List<ShardAnswer> answers = new ArrayList<>();
    List<ShardFailure> failures = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      switch (outcome) {
        case Outcome.Answered(var answer) -> answers.add(answer);
        case Outcome.Failed(var failure) -> failures.add(failure);
      }
    }
    if (answers.isEmpty() && !failures.isEmpty()) {
      throw new ApiException(allFailed(failures));
    }
    return new Found(answers, failures);
  }

  private Outcome ask(
      ClusterState state,
      Target target,
      byte[] request,
      @Nullable String preference,
      Duration timeout)
      throws InterruptedException {
    String index = target.index().name();
    int shard = target.shard().shard().number();
    ShardFailure last = new ShardFailure(index, shard, null, noCopy());
    for (CopyAddress copy :
        selector.order(CopyAddress.started(state, target.shard()), preference)) {
      try {
        byte[] answer = client.search(copy, request, timeout);
        return new Outcome.Answered(
            new ShardAnswer(index, shard, ShardSearchResult.fromBytes(answer)));
      } catch (ApiException e) {
        last = new ShardFailure(index, shard, copy.node().nodeId(), e.error());
        if (isTheRequests(e.error())) {
          break;
        }
      } catch (UnreachableException e) {
        ErrorBody error = ErrorBody.of(503, "connect_transport_exception", e.toString());
        last = new ShardFailure(index, shard, copy.node().nodeId(), error);
      }
    }
    return new Outcome.Failed(last);
  }

  /** 404 and 409 say that the copy is not there (any more), 429 that it is busy. */
  private static boolean isTheRequests(ErrorBody error) {
    return error.status() == 400 || error.status() == 403;
  }

  private static ErrorBody noCopy() {
    return ErrorBody.of(503, "no_shard_available_action_exception", "no started copy of the shard");
  }

  private static ErrorBody allFailed(List<ShardFailure> failures) {
    int status = failures.stream().mapToInt(f -> f.reason().status()).max().orElse(503);
    // Shards of one index mostly fail for one reason, which is then shown once.
    Map<String, ShardFailure> grouped = new LinkedHashMap<>();
    for (ShardFailure failure : failures) {
      grouped.putIfAbsent(
          failure.index() + "/" + failure.reason().type() + "/" + failure.reason().reason(),
          failure);
    }
    boolean unavailable =
        failures.stream()
            .allMatch(f -> f.reason().type().equals("no_shard_available_action_exception"));
    ErrorBody first = failures.getFirst().reason();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("phase", "query");
    fields.put("grouped", true);
    fields.put(
        "failed_shards",
        unavailable ? List.of() : grouped.values().stream().map(ShardFailure::toMap).toList());
    fields.put(
        ErrorBodies.ROOT_CAUSE,
        unavailable
            ? List.of()
            : grouped.values().stream().map(failure -> withoutCause(failure.reason())).toList());
    return new ErrorBody(
        status,
        "search_phase_execution_exception",
        "all shards failed",
        fields,
        unavailable ? null : first);
  }

  private static Map<String, Object> withoutCause(ErrorBody error) {
    Map<String, Object> map = new LinkedHashMap<>(error.toMap());
    map.remove("caused_by");
    return map;
  }
}
