package io.varve.ccr;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.ccr.PullSchedule.Step;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.events.Operation;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the steps of a {@link PullSchedule}: reads a leader's log from a cursor on until the
 * cursor must be requested again. Used by one thread; the tail of the leader's log delivers batches
 * on another.
 */
final class Pull implements AutoCloseable {

  /** The objects that all pulls of one shard share. */
  record Shard(
      FollowRelation follow,
      ShardPuller.Follower primary,
      ShardPuller.MappingSync mapping,
      InstantSource clock,
      PullProgress progress) {}

  private static final Logger LOG = LoggerFactory.getLogger(Pull.class);

  private final Shard shard;
  private final ShardPuller.Leader leader;
  private final PullSchedule schedule;
  private final ArrivedBatches arrived;

  /** Null if the leader is not strongly consistent. */
  private final @Nullable ReplicatedOperations replicated;

  private volatile @Nullable FencedTail tail;

  Pull(Shard shard, ShardPuller.Leader leader, ReplicateWire.Cursor cursor) {
    this.shard = shard;
    this.leader = leader;
    FollowParameters limits = shard.follow().effectiveParameters();
    FollowStatus.SkippedOperations skipped =
        shard.follow().currentStatus().skipped().get(shard.progress().shard().number());
    this.schedule =
        new PullSchedule(
            cursor,
            shard.progress(),
            shard.clock(),
            limits,
            skipped == null ? PullSchedule.NOTHING : skipped.leaderOffset());
    this.arrived = new ArrivedBatches(limits, leader.readAhead(), this::resume);
    this.replicated = leader.replicated() == null ? null : new ReplicatedOperations();
    shard.progress().arriving(arrived::buffered);
  }

  /** Returns whether any operation was sent and accepted. */
  boolean run(BooleanSupplier closed) throws Exception {
    Step next = schedule.begin();
    while (!closed.getAsBoolean()) {
      switch (next) {
        case Step.RequestCursor _ -> {
          return schedule.carried();
        }
        case Step.Lost(String reason, boolean isNew) -> {
          if (isNew) {
            LOG.warn("{} lost its leader's history: {}", shard.progress().shard(), reason);
          }
          return schedule.carried();
        }
        default -> next = perform(next);
      }
    }
    return schedule.carried();
  }

  private Step perform(Step step) throws Exception {
    return switch (step) {
      case Step.Compare compare ->
          schedule.compared(explained(LeaderHistory.check(leader.partition(), compare.held())));
      case Step.RenewLease renewal ->
          schedule.renewed(leader.lease().renew(renewal.fromOffset(), shard.clock().millis()));
      case Step.Follow follow -> follow(follow);
      case Step.Await(long timeoutMillis) -> schedule.arrived(explained(next(timeoutMillis)));
      case Step.ReadFrom(long offset) ->
          schedule.recordsFrom(LeaderReader.recordsFrom(leader.partition(), offset));
      case Step.RequestEnd _ -> schedule.end(leader.partition().endOffset());
      case Step.Send send -> send(send);
      case Step.RequestCursor _, Step.Lost _ -> step;
    };
  }

  private @Nullable Arrived next(long timeoutMillis) throws InterruptedException, IOException {
    if (replicated == null) {
      return arrived.poll(timeoutMillis, TimeUnit.MILLISECONDS);
    }
    if (!replicated.holds()) {
      Arrived next = arrived.poll(timeoutMillis, TimeUnit.MILLISECONDS);
      return next == null ? null : replicated.offer(next);
    }
    return replicated.await(timeoutMillis);
  }

  private LeaderHistory.Outcome explained(LeaderHistory.Outcome outcome) {
    return outcome instanceof LeaderHistory.Outcome.Lost(String reason)
        ? new LeaderHistory.Outcome.Lost(leader.lease().withRefusal(reason))
        : outcome;
  }

  private @Nullable Arrived explained(@Nullable Arrived next) {
    return next instanceof Arrived.Lost(String reason)
        ? new Arrived.Lost(leader.lease().withRefusal(reason))
        : next;
  }

  private Step follow(Step.Follow follow) throws LogException {
    PartitionLog published = leader.replicated();
    if (replicated != null && published != null) {
      replicated.follow(published);
    }
    LeaderReader reader =
        new LeaderReader(shard.clock(), shard.progress(), arrived::put, arrived::isReady);
    stopReading();
    tail = FencedTail.followShared(leader.partition(), follow.fromOffset(), follow.fence(), reader);
    return schedule.follows();
  }

  private void resume() {
    FencedTail followed = tail;
    if (followed != null) {
      followed.resume();
    }
  }

  private Step send(Step.Send send) throws Exception {
    shard.mapping().upTo(send.mappingVersion());
    return switch (replicate(send.operations())) {
      case FollowerPrimary.Outcome.Held(ReplicateWire.Answer answer) -> schedule.held(answer);
      case FollowerPrimary.Outcome.TryAgain(String reason, boolean isGap) -> {
        if (isGap) {
          shard.progress().gap();
        }
        yield schedule.notHeld(PullProgress.State.WAITING, reason);
      }
      case FollowerPrimary.Outcome.Refused(String reason, PullerStats.Refused operation) -> {
        Step next = schedule.notHeld(PullProgress.State.REFUSED, reason);
        shard.progress().refused(operation);
        yield next;
      }
    };
  }

  private FollowerPrimary.Outcome replicate(List<Operation> operations)
      throws InterruptedException {
    long sentMillis = shard.clock().millis();
    shard.progress().sending();
    try {
      return shard.primary().replicate(shard.follow().assignment(), operations);
    } finally {
      shard.progress().sent(Math.max(0, shard.clock().millis() - sentMillis));
    }
  }

  private void stopReading() {
    FencedTail followed = tail;
    if (followed != null) {
      followed.close();
    }
  }

  @Override
  public void close() {
    arrived.close();
    if (replicated != null) {
      replicated.close();
    }
    stopReading();
  }
}
