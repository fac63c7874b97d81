package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Topics;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commands out on the coordinator that leads, with what belongs to them outside of the
 * cluster log: an index's topics are there before the index is, and go after it.
 *
 * <p>All waiting for topics happens on the caller's thread, never on the leader's. A topic whose
 * index never came to be is deleted again unless its fate is unknown: an empty topic too many harms
 * nobody.
 */
final class LocalCommands {

  private static final Logger LOG = LoggerFactory.getLogger(LocalCommands.class);

  private final ClusterLeader leader;
  private final Decisions decisions;
  private final ClusterView view;
  private final MessageLog log;
  private final Topics topics;
  private final Supplier<String> uuids;
  private final ExecutorService blocking;

  /** One at a time: those who lose the race for a name must not make topics for it. */
  private final ReentrantLock creating = new ReentrantLock(true);

  LocalCommands(
      ClusterLeader leader,
      Decisions decisions,
      ClusterView view,
      MessageLog log,
      Topics topics,
      Supplier<String> uuids,
      ExecutorService blocking) {
    this.leader = leader;
    this.decisions = decisions;
    this.view = view;
    this.log = log;
    this.topics = topics;
    this.uuids = uuids;
    this.blocking = blocking;
  }

  /**
   * The version in which the wish holds. Throws an {@link ApiException}: what is refused, 421 when
   * this coordinator doesn't lead, 503 when it wasn't accepted in time.
   */
  long carryOut(ClusterCommand command, Duration timeout) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    return switch (command) {
      case ClusterCommand.CreateIndex create -> create(create, deadlineNanos);
      case ClusterCommand.RollOver rollOver -> create(rollOver, deadlineNanos);
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

  private CompletableFuture<Long> decide(ClusterCommand command, String uuid) {
    return leader.submit(state -> decisions.decide(state, command, uuid));
  }

  private long create(ClusterCommand command, long deadlineNanos) throws InterruptedException {
    if (!leader.isLeading()) {
      throw LeaderErrors.notLeading();
    }
    if (!creating.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw LeaderErrors.unavailable("other indices are being created");
    }
    try {
      String uuid = uuids.get();
      // Asks first, with nothing at stake: most refusals need no topics.
      int shards = shardsOf(decisions.decide(view.current(), command, uuid));
      createTopics(uuid, shards);
      CompletableFuture<Long> accepted =
          leader.submit(state -> ofShards(decisions.decide(state, command, uuid), shards));
      return awaitOrDeleteTopics(accepted, uuid, deadlineNanos);
    } finally {
      creating.unlock();
    }
  }

  /** A template may have been changed since the topics were made. */
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

  private void createTopics(String uuid, int shards) {
    try {
      log.createTopic(topics.operationsSpec(uuid, shards));
      log.createTopic(topics.manifestsSpec(uuid, shards));
    } catch (LogException e) {
      deleteTopicsLater(uuid);
      throw LeaderErrors.unavailable("the index's topics can't be created: " + e.getMessage());
    }
  }

  private long awaitOrDeleteTopics(
      CompletableFuture<Long> accepted, String uuid, long deadlineNanos)
      throws InterruptedException {
    try {
      return await(accepted, deadlineNanos);
    } catch (ApiException e) {
      if (e.error().status() < 500) {
        deleteTopicsLater(uuid);
      }
      throw e;
    }
  }

  /** The topics of the indices that go away with it go after it. */
  private long delete(ClusterCommand command, long deadlineNanos) throws InterruptedException {
    CompletableFuture<List<String>> uuidsToDelete = new CompletableFuture<>();
    CompletableFuture<Long> accepted =
        leader.submit(state -> {
          Decision decision = decisions.decide(state, command, "");
          uuidsToDelete.complete(deletedBy(decision));
          return decision;
        });
    long version = await(accepted, deadlineNanos);
    uuidsToDelete.thenAccept(uuids -> uuids.forEach(this::deleteTopicsLater)).join();
    return version;
  }

  private static List<String> deletedBy(Decision decision) {
    return decision instanceof Decision.Events(var events)
        ? events.stream().flatMap(event -> event.deletedIndexUuids().stream()).toList()
        : List.of();
  }

  /**
   * Of indices whose deletion is in the log while a former leader ended before their topics did.
   */
  void deleteLeftTopics(Set<String> deletedIndices) {
    if (deletedIndices.isEmpty()) {
      return;
    }
    blocking.execute(() -> {
      try {
        for (String topic : topics.left(log.topics(), deletedIndices)) {
          LOG.info("{} was left behind by an index that is gone", topic);
          log.deleteTopic(topic);
        }
      } catch (LogException e) {
        LOG.warn("topics of indices that are gone are left until the next reign", e);
      }
    });
  }

  private void deleteTopicsLater(String uuid) {
    blocking.execute(() -> {
      try {
        log.deleteTopic(topics.operations(uuid));
        log.deleteTopic(topics.manifests(uuid));
      } catch (LogException e) {
        LOG.warn("the topics of {} {} are left behind", IndexSettings.UUID, uuid, e);
      }
    });
  }

  private static long await(CompletableFuture<Long> accepted, long deadlineNanos)
      throws InterruptedException {
    try {
      return accepted.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
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
