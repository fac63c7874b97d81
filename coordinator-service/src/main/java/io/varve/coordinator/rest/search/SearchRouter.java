package io.varve.coordinator.rest.search;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.NotServing;
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
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer.ShardAnswer;
import io.varve.search.ShardFailure;
import io.varve.search.ShardSearchResult;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Asks the best copy of each shard, all shards in parallel. When a copy fails, the next copy in the
 * selector's order is asked, and finally a copy that has replaced a missing one. While a replica is
 * being promoted and no other copy is started, this replica is asked, and the search waits for its
 * start. If the last copy also fails, the response reports a failure of the shard. Errors caused by
 * the request itself (400, 403) and cancellations are not retried. A search fails if all of its
 * shards failed.
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
   * One shard of an index, as of the start of the search.
   *
   * @param ordinal the number of this shard among the searched shards
   * @param part the slice of the shard to search, or null for all of it
   * @param nodeId the only node that may be asked, or null for any
   * @param filter the JSON of a query that restricts the search on this shard, or null for none
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

  /** Sends one request to one copy. If copies race, only one of their answers counts. */
  @FunctionalInterface
  interface Asking {
    ShardSearchResult ask(CopyAddress copy, Target target, CallTerms terms)
        throws InterruptedException;

    /** Returns the answer if it is already known, so that no copy has to be asked. */
    default Optional<ShardSearchResult> known(Target target) {
      return Optional.empty();
    }
  }

  /** An {@link Asking} for one shard. */
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
   * Determines which copies are asked, how many concurrently, and in which schedule.
   *
   * @param preference the client's preference, or null for none
   * @param perNode the limit on concurrent shard requests per node
   * @param reading the data that copies must show
   * @param plan the schedule of attempts for a shard
   */
  record ShardOptions(
      @Nullable String preference, int perNode, Reading reading, CopyTrials.Plan plan) {
    private static final CopyTrials.Plan PLAIN = CopyTrials.Plan.alone("");
    static final ShardOptions ANY = new ShardOptions(null, Integer.MAX_VALUE);

    /** Creates options without a read promise. */
    ShardOptions(@Nullable String preference, int perNode) {
      this(preference, perNode, Reading.ANY);
    }

    /** Creates options that ask one copy after the other. */
    ShardOptions(@Nullable String preference, int perNode, Reading reading) {
      this(preference, perNode, reading, PLAIN);
    }

    ShardOptions planned(CopyTrials.Plan newPlan) {
      return new ShardOptions(preference, perNode, reading, newPlan);
    }
  }

  /** The answer of a shard, with the copy that sent it. */
  record Answered(Target target, CopyAddress copy, ShardSearchResult result) {

    ShardAnswer shardAnswer() {
      return new ShardAnswer(target.index.name(), target.number(), copy.node().nodeId(), result);
    }
  }

  /** The answers and the failures of shards. */
  record Found(List<Answered> answered, List<ShardFailure> failures) {

    /** Returns this with the answers sorted by the ordinals of their shards. */
    Found inTheirOrder() {
      return new Found(
          answered.stream()
              .sorted(Comparator.comparingInt((Answered answer) -> answer.target.ordinal()))
              .toList(),
          failures);
    }

    /** Whether shards failed because none of their copies answered before the deadline. */
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

  Found search(ClusterState state, List<Target> targets, ShardOptions shardOptions, Asking asking)
      throws InterruptedException {
    return search(state, targets, shardOptions, asking, UnaryOperator.identity());
  }

  /**
   * Searches with copies that may race.
   *
   * @param counted receives the one answer of each shard that counts, and returns the part to keep
   */
  Found search(
      ClusterState state,
      List<Target> targets,
      ShardOptions shardOptions,
      Asking asking,
      UnaryOperator<ShardSearchResult> counted)
      throws InterruptedException {
    Found found = tryAll(state, targets, shardOptions, asking, counted);
    if (found.answered().isEmpty() && !found.failures().isEmpty()) {
      throw new ApiException(SearchFailures.allFailed(found.failures()));
    }
    return found;
  }

  /** Searches, but does not throw if all shards failed. */
  Found tryAll(ClusterState state, List<Target> targets, ShardOptions shardOptions, Asking asking)
      throws InterruptedException {
    return tryAll(state, targets, shardOptions, asking, UnaryOperator.identity());
  }

  private Found tryAll(
      ClusterState state,
      List<Target> targets,
      ShardOptions shardOptions,
      Asking asking,
      UnaryOperator<ShardSearchResult> counted)
      throws InterruptedException {
    CopyTrials.Search search =
        trials.search(state, shardOptions.perNode(), SearchRouter::isFinal, shardOptions.plan());
    List<Outcome> outcomes =
        parallel.map(targets, target -> ask(search, target, shardOptions, asking).counted(counted));
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
      CopyTrials.Search search, Target target, ShardOptions shardOptions, Asking asking)
      throws InterruptedException {
    ClusterState state = search.state();
    ShardTrials<ShardSearchResult> shard = trials.of(search);
    PromisedReads.Outcome<ShardSearchResult> outcome =
        reads.read(
            state,
            target.shard(),
            new PromisedReads.Options(
                started -> copies(state, started, target, shardOptions, shard),
                error -> isFinal(error) || shard.isLate(),
                new PromisedReads.Waiting.ForSearch(shard::leftMillis)),
            shardOptions.reading(),
            (copy, spares, demand) -> shard.ask(copy, spares, demand, new OfShard(asking, target)));
    return switch (outcome) {
      case PromisedReads.Outcome.Answered<ShardSearchResult>(var copy, var result) ->
          new Outcome.Done(new Answered(target, copy, result));
      case PromisedReads.Outcome.Failed<ShardSearchResult>(var nodeId, var error) ->
          new Outcome.Failed(
              new ShardFailure(
                  target.index().name(), target.number(), nodeId, inTime(shard, error)));
    };
  }

  /**
   * The search waits for a refusing copy until the deadline. Whether the copy is asked again just
   * before the deadline depends on timing, so its last refusal must not determine the error.
   */
  private static ErrorBody inTime(ShardTrials<?> shard, ErrorBody error) {
    return NotServing.is(error) && shard.leftMillis() == 0 ? ShardTrials.late().error() : error;
  }

  /**
   * Returns the copies to ask, in the order given by the client's preference or, without one, best
   * first.
   */
  private List<CopyAddress> copies(
      ClusterState state,
      List<CopyAddress> started,
      Target target,
      ShardOptions shardOptions,
      ShardTrials<?> shard) {
    String nodeId = target.nodeId();
    if (nodeId != null) {
      return started.stream().filter(copy -> copy.node().nodeId().equals(nodeId)).toList();
    }
    String asked = shardOptions.preference();
    boolean free = asked == null || asked.isEmpty();
    List<CopyAddress> ordered =
        free
            ? shard.ranked(SearchReplicas.searched(state, target.index(), started))
            : selector.order(started, asked);
    List<CopyAddress> fitFirst = laggards.last(ordered);
    shard.lagging(laggards.among(fitFirst));
    return fitFirst;
  }

  /**
   * Whether other copies would fail with the same error. This excludes 404 and 409, which mean that
   * the copy is not, or no longer, on that node, and 429, which means that the node is busy.
   */
  private static boolean isFinal(ErrorBody error) {
    return error.status() == 400
        || error.status() == 403
        || error.type().equals("task_cancelled_exception");
  }
}
