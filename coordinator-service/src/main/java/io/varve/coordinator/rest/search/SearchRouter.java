package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer.ShardAnswer;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchResult;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Asks one copy of each shard, all shards at the same time. A copy that fails is followed by the
 * next one in the selector's order, each asked once; when the last one failed too, the shard is a
 * failure in the answer. What a request itself is to blame for (status below 500) is not tried
 * again. A search in which every shard failed fails as a whole.
 */
public final class SearchRouter {

  private final CopySelector selector;
  private final Parallel parallel;

  public SearchRouter(CopySelector selector, Parallel parallel) {
    this.selector = selector;
    this.parallel = parallel;
  }

  /**
   * One shard of one index, as it was when the search began.
   *
   * @param ordinal which of the searched shards this is
   * @param part which part of it is searched, or null for all
   * @param nodeId whose copy is searched and no other, or null for any
   * @param filter the JSON of a query that narrows the search there, or null for none
   */
  record Target(
      IndexMetadata index,
      ShardRouting shard,
      int ordinal,
      Slice.Share.@Nullable Part part,
      @Nullable String nodeId,
      @Nullable String filter) {

    Target at(String newNodeId) {
      return new Target(index, shard, ordinal, part, newNodeId, filter);
    }

    Target cutTo(Slice.Share.Part newPart) {
      return new Target(index, shard, ordinal, newPart, nodeId, filter);
    }

    int number() {
      return shard.shard().number();
    }
  }

  /** Asks one copy for one thing. */
  @FunctionalInterface
  interface Asking {
    ShardSearchResult ask(CopyAddress copy, Target target) throws InterruptedException;
  }

  /**
   * Which copies are asked, and how many at a time.
   *
   * @param preference what the client prefers, null for nothing
   * @param perNode shards asked at the same time on one node
   */
  record Ways(@Nullable String preference, int perNode) {
    static final Ways ANY = new Ways(null, Integer.MAX_VALUE);
  }

  /** A shard that answered, and the copy that did. */
  record Answered(Target target, CopyAddress copy, ShardSearchResult result) {

    ShardAnswer shardAnswer() {
      return new ShardAnswer(target.index.name(), target.number(), copy.node().nodeId(), result);
    }
  }

  /** What the shards found; at least one did, unless there was none to ask. */
  record Found(List<Answered> answered, List<ShardFailure> failures) {

    List<ShardAnswer> answers() {
      return answered.stream().map(Answered::shardAnswer).toList();
    }
  }

  private sealed interface Outcome {
    record Done(Answered answered) implements Outcome {}

    record Failed(ShardFailure failure) implements Outcome {}
  }

  Found search(ClusterState state, List<Target> targets, Ways ways, Asking asking)
      throws InterruptedException {
    Found found = tryAll(state, targets, ways, asking);
    if (found.answered().isEmpty() && !found.failures().isEmpty()) {
      throw new ApiException(allFailed(found.failures()));
    }
    return found;
  }

  /** The same, where nothing but failures is an answer too. */
  Found tryAll(ClusterState state, List<Target> targets, Ways ways, Asking asking)
      throws InterruptedException {
    Map<String, Semaphore> turns = new ConcurrentHashMap<>();
    List<Outcome> outcomes =
        parallel.map(targets, target -> ask(state, target, ways, turns, asking));
    List<Answered> answered = new ArrayList<>();
    List<ShardFailure> failures = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      switch (outcome) {
        case Outcome.Done(var answer) -> answered.add(answer);
        case Outcome.Failed(var failure) -> failures.add(failure);
      }
    }
    return new Found(answered, failures);
  }

  private Outcome ask(
      ClusterState state, Target target, Ways ways, Map<String, Semaphore> turns, Asking asking)
      throws InterruptedException {
    String index = target.index().name();
    ShardFailure last = new ShardFailure(index, target.number(), null, noCopy());
    for (CopyAddress copy : copies(state, target, ways.preference())) {
      String nodeId = copy.node().nodeId();
      Semaphore turn = turns.computeIfAbsent(nodeId, _ -> new Semaphore(ways.perNode()));
      turn.acquire();
      try {
        return new Outcome.Done(new Answered(target, copy, asking.ask(copy, target)));
      } catch (ApiException e) {
        last = new ShardFailure(index, target.number(), nodeId, e.error());
        if (isFinal(e.error())) {
          break;
        }
      } catch (UnreachableException e) {
        ErrorBody error = ErrorBody.of(503, "connect_transport_exception", e.toString());
        last = new ShardFailure(index, target.number(), nodeId, error);
      } finally {
        turn.release();
      }
    }
    return new Outcome.Failed(last);
  }

  private List<CopyAddress> copies(ClusterState state, Target target, @Nullable String preference) {
    List<CopyAddress> started = CopyAddress.started(state, target.shard());
    String nodeId = target.nodeId();
    return nodeId == null
        ? selector.order(started, preference)
        : started.stream().filter(copy -> copy.node().nodeId().equals(nodeId)).toList();
  }

  /** 404 and 409 say that the copy is not there (any more), 429 that it is busy. */
  private static boolean isFinal(ErrorBody error) {
    return error.status() == 400
        || error.status() == 403
        || error.type().equals("task_cancelled_exception");
  }

  private static ErrorBody noCopy() {
    return ErrorBody.of(503, "no_shard_available_action_exception", "no started copy of the shard");
  }

  static ErrorBody allFailed(List<ShardFailure> failures) {
    return failed("all shards failed", failures);
  }

  static ErrorBody failed(String reason, List<ShardFailure> failures) {
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
        status, "search_phase_execution_exception", reason, fields, unavailable ? null : first);
  }

  private static Map<String, Object> withoutCause(ErrorBody error) {
    Map<String, Object> map = new LinkedHashMap<>(error.toMap());
    map.remove("caused_by");
    return map;
  }
}
