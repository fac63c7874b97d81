package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.Decision;
import io.varve.control.command.Decisions;
import io.varve.control.command.NodeRights;
import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Executes commands on the leading coordinator, including their side effects outside of the cluster
 * log: an index's topics are created before the index and deleted after it.
 *
 * <p>Waiting for topics blocks the thread of the caller, never that of the leader. If the index was
 * not created, its topics are deleted again. If the outcome is unknown they are kept, because
 * unused empty topics do no harm.
 */
public final class LocalCommands {

  private final ClusterLeader leader;
  private final Decisions decisions;
  private final ClusterView view;
  private final IndexTopics topics;
  private final Supplier<String> uuids;
  private final Ticker ticker;

  /** One creation at a time: of concurrent requests for one name, only one must create topics. */
  private final ReentrantLock creating = new ReentrantLock(true);

  public LocalCommands(
      ClusterLeader leader,
      Decisions decisions,
      ClusterView view,
      IndexTopics topics,
      Supplier<String> uuids,
      Ticker ticker) {
    this.leader = leader;
    this.decisions = decisions;
    this.view = view;
    this.topics = topics;
    this.uuids = uuids;
    this.ticker = ticker;
  }

  /**
   * Executes the command and returns the version in which it is applied. Throws an {@link
   * ApiException}: a rejection, 421 when this coordinator doesn't lead, 503 when the log did not
   * accept the command in time.
   */
  public long carryOut(ClusterCommand command, Duration timeout) throws InterruptedException {
    long deadlineNanos = ticker.nanos() + timeout.toNanos();
    return switch (command) {
      case ClusterCommand.CreateIndex create -> create(create, deadlineNanos);
      case ClusterCommand.RollOver rollOver -> create(rollOver, deadlineNanos);
      case ClusterCommand.RestoreIndex restore -> create(restore, deadlineNanos);
      case ClusterCommand.ReplaceFollower replace -> create(replace, deadlineNanos);
      case ClusterCommand.FailBack failBack -> create(failBack, deadlineNanos);
      case ClusterCommand.EndReplacement end -> delete(end, deadlineNanos);
      case ClusterCommand.DeleteIndices delete -> delete(delete, deadlineNanos);
      case ClusterCommand.UpdateAliases update -> delete(update, deadlineNanos);
      case ClusterCommand.Reroute reroute -> {
        if (reroute.retryFailed()) {
          leader.retryFailed();
        }
        yield await(decide(reroute, ""), deadlineNanos);
      }
      default -> await(decide(command, ""), deadlineNanos);
    };
  }

  /**
   * Executes the command of a data node as {@link #carryOut} does, unless {@link NodeRights} refuse
   * it in the state in which it is decided.
   */
  public long carryOutFor(String nodeId, ClusterCommand command, Duration timeout)
      throws InterruptedException {
    long deadlineNanos = ticker.nanos() + timeout.toNanos();
    if (command instanceof ClusterCommand.ReplaceFollower replace) {
      // The index keeps its places while the topics of its successor are created.
      var _ =
          await(
              leader.submit(state -> allowed(state, command, nodeId, Decision::nothing)),
              deadlineNanos);
      return create(replace, deadlineNanos);
    }
    return await(
        leader.submit(
            state -> allowed(state, command, nodeId, () -> decisions.decide(state, command, ""))),
        deadlineNanos);
  }

  private static Decision allowed(
      ClusterState state, ClusterCommand command, String nodeId, Supplier<Decision> decision) {
    return NodeRights.refusal(state, command, nodeId)
        .<Decision>map(Decision.Refused::new)
        .orElseGet(decision);
  }

  private CompletableFuture<Long> decide(ClusterCommand command, String uuid) {
    return leader.submit(state -> decisions.decide(state, command, uuid));
  }

  private long create(ClusterCommand command, long deadlineNanos) throws InterruptedException {
    if (!leader.isLeading()) {
      throw LeaderErrors.notLeading();
    }
    if (!creating.tryLock(deadlineNanos - ticker.nanos(), TimeUnit.NANOSECONDS)) {
      throw LeaderErrors.unavailable("other indices are being created");
    }
    try {
      String uuid = uuids.get();
      // Decides without side effects first: most rejections need no topics.
      int shards = shardsOf(decisions.decide(view.current(), command, uuid));
      if (command instanceof ClusterCommand.FailBack failBack) {
        topics.createQuarantine(failBack.fork().leaderUuid(), shards);
      }
      topics.create(uuid, shards);
      if (command instanceof ClusterCommand.RestoreIndex restore) {
        topics.begin(uuid, restore.shards());
      }
      CompletableFuture<List<String>> uuidsToDelete = new CompletableFuture<>();
      CompletableFuture<Long> accepted =
          leader.submit(state -> {
            Decision decision = ofShards(decisions.decide(state, command, uuid), shards);
            uuidsToDelete.complete(deletedBy(decision));
            return decision;
          });
      long version = awaitOrDeleteTopics(accepted, uuid, deadlineNanos);
      uuidsToDelete.thenAccept(uuids -> uuids.forEach(topics::deleteLater)).join();
      return version;
    } finally {
      creating.unlock();
    }
  }

  /** A template may have changed since the topics were created. */
  private static Decision ofShards(Decision decision, int shards) {
    return decision instanceof Decision.Events && shardsOf(decision) != shards
        ? new Decision.Refused(
            ErrorBody.of(
                409,
                "version_conflict_engine_exception",
                "the templates of the index changed while it was created"))
        : decision;
  }

  private static int shardsOf(Decision decision) {
    return switch (decision) {
      case Decision.Refused(var error) -> throw new ApiException(error);
      case Decision.Events(var events) ->
          events.stream()
              .mapToInt(event ->
                  switch (event) {
                    case ClusterEvent.IndexCreated e -> e.index().numberOfShards();
                    case ClusterEvent.IndexRolledOver e -> e.index().numberOfShards();
                    default -> 0;
                  })
              .sum();
    };
  }

  private long awaitOrDeleteTopics(
      CompletableFuture<Long> accepted, String uuid, long deadlineNanos)
      throws InterruptedException {
    try {
      return await(accepted, deadlineNanos);
    } catch (ApiException e) {
      if (e.error().status() < 500) {
        topics.deleteLater(uuid);
      }
      throw e;
    }
  }

  /** Deletes the topics of the indices that the command deletes. */
  private long delete(ClusterCommand command, long deadlineNanos) throws InterruptedException {
    CompletableFuture<List<String>> uuidsToDelete = new CompletableFuture<>();
    CompletableFuture<Long> accepted =
        leader.submit(state -> {
          Decision decision = decisions.decide(state, command, "");
          uuidsToDelete.complete(deletedBy(decision));
          return decision;
        });
    long version = await(accepted, deadlineNanos);
    uuidsToDelete.thenAccept(uuids -> uuids.forEach(topics::deleteLater)).join();
    return version;
  }

  private static List<String> deletedBy(Decision decision) {
    return decision instanceof Decision.Events(var events)
        ? events.stream().flatMap(event -> event.deletedIndexUuids().stream()).toList()
        : List.of();
  }

  private long await(CompletableFuture<Long> accepted, long deadlineNanos)
      throws InterruptedException {
    try {
      return accepted.get(Math.max(0, deadlineNanos - ticker.nanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw LeaderErrors.unknownOutcome("the cluster log did not accept it in time");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
