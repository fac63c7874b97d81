package io.varve.coordinator.rest.search;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.consistency.PromisedReads;
import io.varve.client.consistency.Reading;
import io.varve.client.routing.CopySelector;
import io.varve.client.routing.CopyTrials;
import io.varve.client.routing.LaggingCopies;
import io.varve.client.routing.ShardTrials;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer.ShardAnswer;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchResult;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Asks one copy of each shard, the best one, all shards at the same time. A copy that fails is
 * followed by the next one in the selector's order, and in the end by what has taken the place of
 * one that was gone; when the last one failed too, the shard is a failure in the answer. What a
 * request itself is to blame for (status below 500) is not tried again. A search in which every
 * shard failed fails as a whole.
 */
public final class SearchRouter {

  private final CopySelector selector;
  private final LaggingCopies laggards;
  private final PromisedReads reads;
  private final Parallel parallel;
  private final CopyTrials trials;

  public SearchRouter(
      CopySelector selector,
      LaggingCopies laggards,
      PromisedReads reads,
      CopyTrials trials,
      Parallel parallel) {
    this.trials = trials;
    this.selector = selector;
    this.laggards = laggards;
    this.reads = reads;
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

  /** Asks one copy for one thing; where copies race, of several answers one counts. */
  @FunctionalInterface
  interface Asking {
    ShardSearchResult ask(CopyAddress copy, Target target, CallTerms terms)
        throws InterruptedException;

    /** What is known of the shard by now, so that no copy needs to be asked. */
    default Optional<ShardSearchResult> known(Target target) {
      return Optional.empty();
    }
  }

  /** The same for one shard. */
  private record OfShard(Asking asking, Target target)
      implements ShardTrials.Question<ShardSearchResult> {

    @Override
    public ShardSearchResult ask(CopyAddress copy, CallTerms terms) throws InterruptedException {
      return asking.ask(copy, target, terms);
    }

    @Override
    public Optional<ShardSearchResult> known() {
      return asking.known(target);
    }
  }

  /**
   * Which copies are asked, and how many at a time.
   *
   * @param preference what the client prefers, null for nothing
   * @param perNode shards asked at the same time on one node
   * @param reading what the copies must show
   * @param plan what is known of the work
   */
  record Ways(@Nullable String preference, int perNode, Reading reading, CopyTrials.Plan plan) {
    private static final CopyTrials.Plan PLAIN = CopyTrials.Plan.alone("");
    static final Ways ANY = new Ways(null, Integer.MAX_VALUE);

    /** Copies, whatever they show. */
    Ways(@Nullable String preference, int perNode) {
      this(preference, perNode, Reading.ANY);
    }

    /** One copy after the other. */
    Ways(@Nullable String preference, int perNode, Reading reading) {
      this(preference, perNode, reading, PLAIN);
    }

    Ways planned(CopyTrials.Plan newPlan) {
      return new Ways(preference, perNode, reading, newPlan);
    }
  }

  /** A shard that answered, and the copy that did. */
  record Answered(Target target, CopyAddress copy, ShardSearchResult result) {

    ShardAnswer shardAnswer() {
      return new ShardAnswer(target.index.name(), target.number(), copy.node().nodeId(), result);
    }
  }

  /** What the shards found; at least one did, unless there was none to ask. */
  record Found(List<Answered> answered, List<ShardFailure> failures) {

    /** As the shards are numbered, whatever the order in which they were asked. */
    Found inTheirOrder() {
      return new Found(
          answered.stream()
              .sorted(Comparator.comparingInt((Answered answer) -> answer.target.ordinal()))
              .toList(),
          failures);
    }

    /** Whether shards are missing as none of their copies answered before the deadline. */
    boolean isLate() {
      return failures.stream()
          .anyMatch(failure -> failure.reason().type().equals(ShardTrials.LATE_TYPE));
    }

    List<ShardAnswer> answers() {
      return answered.stream().map(Answered::shardAnswer).toList();
    }
  }

  private sealed interface Outcome {
    record Done(Answered answered) implements Outcome {}

    record Failed(ShardFailure failure) implements Outcome {}

    default Outcome counted(UnaryOperator<ShardSearchResult> by) {
      return switch (this) {
        case Done(Answered(var target, var copy, var result)) ->
            new Done(new Answered(target, copy, by.apply(result)));
        case Failed failed -> failed;
      };
    }
  }

  Found search(ClusterState state, List<Target> targets, Ways ways, Asking asking)
      throws InterruptedException {
    return search(state, targets, ways, asking, UnaryOperator.identity());
  }

  /**
   * The same, where copies may race.
   *
   * @param counted is given the one answer of each shard that counts, and leaves what is kept of it
   */
  Found search(
      ClusterState state,
      List<Target> targets,
      Ways ways,
      Asking asking,
      UnaryOperator<ShardSearchResult> counted)
      throws InterruptedException {
    Found found = tryAll(state, targets, ways, asking, counted);
    if (found.answered().isEmpty() && !found.failures().isEmpty()) {
      throw new ApiException(allFailed(found.failures()));
    }
    return found;
  }

  /** The same, where nothing but failures is an answer too. */
  Found tryAll(ClusterState state, List<Target> targets, Ways ways, Asking asking)
      throws InterruptedException {
    return tryAll(state, targets, ways, asking, UnaryOperator.identity());
  }

  private Found tryAll(
      ClusterState state,
      List<Target> targets,
      Ways ways,
      Asking asking,
      UnaryOperator<ShardSearchResult> counted)
      throws InterruptedException {
    CopyTrials.Search search =
        trials.search(state, ways.perNode(), SearchRouter::isFinal, ways.plan());
    List<Outcome> outcomes =
        parallel.map(targets, target -> ask(search, target, ways, asking).counted(counted));
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

  private Outcome ask(CopyTrials.Search search, Target target, Ways ways, Asking asking)
      throws InterruptedException {
    ClusterState state = search.state();
    ShardTrials<ShardSearchResult> shard = trials.of(search);
    PromisedReads.Outcome<ShardSearchResult> outcome =
        reads.read(
            state,
            target.shard(),
            new PromisedReads.Way(
                started -> copies(state, started, target, ways, shard),
                error -> isFinal(error) || shard.isLate()),
            ways.reading(),
            (copy, spares, demand) -> shard.ask(copy, spares, demand, new OfShard(asking, target)));
    return switch (outcome) {
      case PromisedReads.Outcome.Answered<ShardSearchResult>(var copy, var result) ->
          new Outcome.Done(new Answered(target, copy, result));
      case PromisedReads.Outcome.Failed<ShardSearchResult>(var nodeId, var error) ->
          new Outcome.Failed(
              new ShardFailure(target.index().name(), target.number(), nodeId, error));
    };
  }

  /** What the client prefers is done as it says; where it says nothing, the best copy is chosen. */
  private List<CopyAddress> copies(
      ClusterState state,
      List<CopyAddress> started,
      Target target,
      Ways ways,
      ShardTrials<?> shard) {
    String nodeId = target.nodeId();
    if (nodeId != null) {
      return started.stream().filter(copy -> copy.node().nodeId().equals(nodeId)).toList();
    }
    String asked = ways.preference();
    boolean free = asked == null || asked.isEmpty();
    List<CopyAddress> ordered =
        free
            ? shard.ranked(SearchReplicas.searched(state, target.index(), started))
            : selector.order(started, asked);
    List<CopyAddress> fitFirst = laggards.last(ordered);
    shard.lagging(laggards.among(fitFirst));
    return fitFirst;
  }

  /** 404 and 409 say that the copy is not there (any more), 429 that it is busy. */
  private static boolean isFinal(ErrorBody error) {
    return error.status() == 400
        || error.status() == 403
        || error.type().equals("task_cancelled_exception");
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
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("phase", "query");
    fields.put("grouped", true);
    fields.put("failed_shards", grouped.values().stream().map(ShardFailure::toMap).toList());
    fields.put(
        ErrorBodies.ROOT_CAUSE,
        grouped.values().stream().map(failure -> withoutCause(failure.reason())).toList());
    return new ErrorBody(
        status, "search_phase_execution_exception", reason, fields, failures.getFirst().reason());
  }

  private static Map<String, Object> withoutCause(ErrorBody error) {
    Map<String, Object> map = new LinkedHashMap<>(error.toMap());
    map.remove("caused_by");
    return map;
  }
}
