package io.varve.coordinator.rest.document;

import io.varve.client.Abort;
import io.varve.client.CopyAddress;
import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Deadline;
import io.varve.rest.TimeText;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends one batch to its shard's primary.
 *
 * <p>An attempt has one of these outcomes:
 *
 * <pre>
 *   results       each item has a result, except items rejected by a newer fence, which stay open
 *   not written   no connection could be made, or the node is not the primary of this term: all
 *                 items stay open
 *   refused       all items have failed
 *   unknown       the primary reports an unknown outcome: all items have failed with
 *                 {@value WriteResult#UNKNOWN_OUTCOME}
 *   unanswered    the connection broke, the time is over, or the primary does not respond and
 *                 another one took over (see {@link PrimaryCalls}): as unknown, but items to which
 *                 {@link RepeatedWrite} applies stay open for the primary of a newer term
 * </pre>
 *
 * <p>Open items are sent again until the request's timeout: immediately to the copy that takes over
 * from the primary, which holds the request until its gate opens; otherwise when the cluster state
 * has changed, or after a pause.
 */
final class ShardWriter {

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  /** The minimum time of an attempt, even at the end of the request's timeout. */
  private static final Duration SHORTEST_ATTEMPT = Duration.ofMillis(100);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final PrimaryCalls calls;

  ShardWriter(ClusterAccess cluster, ShardClient client, PrimaryCalls calls) {
    this.cluster = cluster;
    this.client = client;
    this.calls = calls;
  }

  /** Where a batch can be sent now. */
  private sealed interface Place {

    /**
     * @param targets the primaries, at least one, to which the batch is sent in turn
     */
    record Ready(List<PrimaryTarget> targets, int started) implements Place {}

    record NotYet(String reason) implements Place {}

    record Gone() implements Place {}
  }

  /** A copy that is the primary in a term. */
  private record PrimaryTarget(CopyAddress copy, long term) {}

  /** Writes the batch. {@code task} is the parent task of the write, or null for none. */
  void write(ShardBatch batch, WriteOptions options, @Nullable String task)
      throws InterruptedException {
    Deadline deadline = cluster.deadline(options.timeout());
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      ClusterState state = cluster.state();
      String problem;
      long longestWait = Long.MAX_VALUE;
      switch (place(state, batch, options)) {
        case Place.Gone _ -> {
          batch.refused(ErrorBodies.indexNotFound(batch.index().name(), "index_or_alias"));
          return;
        }
        case Place.NotYet(String reason) -> problem = reason;
        case Place.Ready ready -> {
          Optional<String> open = send(batch, ready, task, deadline);
          if (open.isEmpty()) {
            return;
          }
          problem = open.get();
          longestWait = pause;
          pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
      }
      if (deadline.isOver()) {
        batch.refused(
            batch.isUnanswered()
                ? RepeatedWrite.unknown(problem)
                : unavailable(batch, options, problem));
        return;
      }
      cluster.awaitVersion(state.version() + 1, deadline.leftUpTo(Duration.ofMillis(longestWait)));
    }
  }

  private static Place place(ClusterState state, ShardBatch batch, WriteOptions options) {
    Optional<IndexMetadata> index = state.index(batch.index().uuid());
    if (index.isEmpty()) {
      return new Place.Gone();
    }
    ShardRouting shard = index.get().shard(batch.shard());
    List<CopyAddress> started = CopyAddress.writing(state, shard);
    List<PrimaryTarget> targets = targets(state, shard, started);
    if (targets.isEmpty()) {
      return new Place.NotYet("primary shard is not active");
    }
    targets.removeIf(target -> target.term() <= batch.unansweredTerm());
    if (targets.isEmpty()) {
      return new Place.NotYet(
          "the primary of term "
              + batch.unansweredTerm()
              + " did not answer, and no other has taken over");
    }
    ActiveShards wanted =
        options.activeShards() == null ? ActiveShards.of(index.get()) : options.activeShards();
    int needed = wanted.wanted(shard);
    return started.size() < needed
        ? new Place.NotYet(
            "Not enough active copies to meet shard count of ["
                + wanted
                + "] (have "
                + started.size()
                + ", needed "
                + needed
                + ").")
        : new Place.Ready(targets, started.size());
  }

  /** Returns the active primary, then the copy that takes over from it, as far as they exist. */
  private static List<PrimaryTarget> targets(
      ClusterState state, ShardRouting shard, List<CopyAddress> started) {
    List<PrimaryTarget> targets = new ArrayList<>();
    if (!started.isEmpty() && started.getFirst().copy().primary()) {
      targets.add(new PrimaryTarget(started.getFirst(), shard.primaryTerm()));
    }
    shard
        .handOver()
        .ifPresent(moving ->
            CopyAddress.of(state, shard, moving.target())
                .ifPresent(copy -> targets.add(new PrimaryTarget(copy, moving.handOverTerm()))));
    return targets;
  }

  /**
   * Sends the batch to the targets. Returns empty if no item is open any more, otherwise the reason
   * why items are open.
   */
  private Optional<String> send(
      ShardBatch batch, Place.Ready ready, @Nullable String task, Deadline deadline)
      throws InterruptedException {
    String problem = "";
    for (PrimaryTarget target : ready.targets()) {
      problem = attempt(batch, ready.started(), target, task, deadline);
      if (!batch.isOpen()) {
        return Optional.empty();
      }
    }
    return Optional.of(problem);
  }

  /** Makes one attempt. Returns the reason why items are open afterwards, if any are. */
  private String attempt(
      ShardBatch batch, int started, PrimaryTarget target, @Nullable String task, Deadline deadline)
      throws InterruptedException {
    List<WriteItem> items = batch.unwritten();
    return switch (bulk(target, items, task, deadline)) {
      case BulkAnswer.Results(var results) -> {
        batch.answered(
            batch.isUnanswered() ? ofRepeated(target, items, results, deadline) : results, started);
        yield "another primary took over";
      }
      case BulkAnswer.Refused(ErrorBody error) -> {
        batch.refused(
            batch.isUnanswered() ? RepeatedWrite.unknown("repeated: " + error.reason()) : error);
        yield error.reason();
      }
      case BulkAnswer.Unknown(String reason, boolean answered) -> {
        ErrorBody unknown = RepeatedWrite.unknown(reason);
        if (answered) {
          batch.refused(unknown);
        } else {
          batch.unanswered(target.term(), unknown);
        }
        yield reason;
      }
      case BulkAnswer.NotWritten(ErrorBody error) -> error.reason();
    };
  }

  private BulkAnswer bulk(
      PrimaryTarget target, List<WriteItem> items, @Nullable String task, Deadline deadline)
      throws InterruptedException {
    Abort abort = new Abort();
    try (PrimaryCalls.Pending _ = calls.ofTerm(target.copy().shard(), target.term(), abort)) {
      return client.bulk(
          target.copy(),
          new ShardClient.BulkCall(target.term(), items, task, abort),
          left(deadline));
    }
  }

  private static Duration left(Deadline deadline) {
    Duration left = deadline.left();
    return left.compareTo(SHORTEST_ATTEMPT) < 0 ? SHORTEST_ATTEMPT : left;
  }

  /** Reads documents that exist already to determine whether the first attempt wrote them. */
  private List<WriteResult> ofRepeated(
      PrimaryTarget target, List<WriteItem> items, List<WriteResult> answers, Deadline deadline)
      throws InterruptedException {
    List<Integer> conflicts =
        IntStream.range(0, answers.size())
            .filter(i -> RepeatedWrite.needsDocument(items.get(i), answers.get(i)))
            .boxed()
            .toList();
    List<GetResult> documents =
        read(target, conflicts.stream().map(i -> items.get(i).id()).toList(), deadline);
    List<WriteResult> results = new ArrayList<>(answers);
    results.replaceAll(answer -> RepeatedWrite.result(answer, null));
    for (int i = 0; i < documents.size(); i++) {
      int item = conflicts.get(i);
      results.set(item, RepeatedWrite.result(answers.get(item), documents.get(i)));
    }
    return results;
  }

  /** Returns the newest versions of documents; empty if the primary does not answer for each. */
  private List<GetResult> read(PrimaryTarget target, List<String> ids, Deadline deadline)
      throws InterruptedException {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<Wanted> wanted = ids.stream().map(id -> new Wanted(id, Set.of())).toList();
    Abort abort = new Abort();
    try (PrimaryCalls.Pending _ = calls.ofTerm(target.copy().shard(), target.term(), abort)) {
      List<Result> results =
          client.get(
              target.copy(),
              new ShardClient.DocumentsCall(wanted, true, ReadDemand.NONE, abort),
              left(deadline));
      List<GetResult> documents = new ArrayList<>();
      for (Result result : results) {
        if (result instanceof Result.Read(var read)) {
          documents.add(read);
        }
      }
      return documents.size() == ids.size() ? documents : List.of();
    } catch (ApiException | UnreachableException e) {
      return List.of();
    }
  }

  private static ErrorBody unavailable(ShardBatch batch, WriteOptions options, String problem) {
    String shard = "[" + batch.index().name() + "][" + batch.shard() + "]";
    return ErrorBody.of(
        503,
        "unavailable_shards_exception",
        shard
            + " "
            + problem
            + " Timeout: ["
            + TimeText.of(options.timeout())
            + "], request: [BulkShardRequest ["
            + shard
            + "] containing ["
            + batch.items().size()
            + "] requests]");
  }
}
