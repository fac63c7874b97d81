package io.varve.testkit.sim;

import io.varve.ccr.ArrivedBatches;
import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.ccr.LeaderHistory;
import io.varve.ccr.LeaderReader;
import io.varve.ccr.LeaseSchedule;
import io.varve.ccr.PullProgress;
import io.varve.ccr.PullSchedule;
import io.varve.ccr.PullSchedule.Step;
import io.varve.ccr.ReplicatedOperations;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.ShardRouting;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import io.varve.host.log.ManifestLog;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.rpc.ReplicateWire;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The puller of one shard: performs the steps of production's {@link PullSchedule} over the
 * simulated network and log, as production's {@code Pull} does. After each reading it requests the
 * cursor again. {@link SimBootstrap} bootstraps an empty primary.
 */
final class PullerActor {

  private static final long BACK_OFF_MICROS = 60_000;
  private static final FollowParameters LIMITS =
      new FollowParameters(100, 1 << 20, 2, 12, 1 << 20, 9, 1_000, 1 << 20, 500, 60_000);

  private static final Set<Mutation> CARELESS =
      Set.of(Mutation.ACCEPT_STALE_TERMS, Mutation.SKIP_DENSITY);

  final World world;
  final SimNode node;
  final ShardId follower;
  final SimLease lease;
  final LeaseSchedule bootstrapRenewals = new LeaseSchedule();
  final ShardId leader;
  private final long assignment;
  private final InstantSource clock;
  private final PullProgress progress;
  private final SimLoss loss;
  private @Nullable Reading reading;
  boolean closed;

  PullerActor(World world, SimNode node, ShardId leader, ShardId follower, long assignment) {
    this.world = world;
    this.node = node;
    this.leader = leader;
    this.follower = follower;
    this.lease = new SimLease(world, node, leader, follower);
    this.loss = new SimLoss(world, node, leader, follower);
    this.assignment = assignment;
    this.clock = () -> Instant.ofEpochMilli(world.queue().nowMillis());
    this.progress = new PullProgress(follower, clock.millis());
  }

  long assignment() {
    return assignment;
  }

  /** Whether the leader's log does not continue what the follower holds. */
  boolean isLost() {
    return progress.stats(clock.millis()).state().equals(PullProgress.State.LOST.name());
  }

  @Override
  public String toString() {
    return node.process() + " pulls: " + progress.stats(clock.millis());
  }

  void start() {
    if (closed) {
      return;
    }
    SimNode primary = primary();
    if (primary == null) {
      failed("the follower's primary is not started");
      return;
    }
    world
        .network()
        .<Optional<ReplicateWire.Cursor>>call(
            node.process(),
            primary.process(),
            reply ->
                reply.accept(
                    primary.primary(follower).flatMap(opened -> opened.followed().cursor())),
            cursor ->
                cursor.ifPresentOrElse(this::read, () -> new SimBootstrap(this, primary).start()),
            () -> failed("the primary did not answer"));
  }

  /** Kills this process if the fault for this step was injected. */
  boolean isKilledBefore(String step) {
    if (world.faults().killsThePuller()) {
      world.note("kill " + node.process() + " before " + step);
      node.kill();
      world.restartLater(node.process(), node::start);
      return true;
    }
    return false;
  }

  void requireMapping(long leaderVersion) throws LogException.Unavailable {
    SimFollowedWrites.requireMapping(
        node, follower, leaderVersion, world.mutated(Mutation.FOLLOW_WITHOUT_THE_LEADERS_MAPPING));
  }

  private @Nullable SimNode primary() {
    return node.state()
        .shard(follower)
        .map(ShardRouting::primary)
        .map(CopyRouting::nodeId)
        .map(world::node)
        .orElse(null);
  }

  private void read(ReplicateWire.Cursor cursor) {
    if (!closed) {
      progress.cursor(cursor);
      Reading next = new Reading(cursor);
      reading = next;
      next.begin();
    }
  }

  void failed(String reason) {
    if (!closed) {
      progress.failed(PullProgress.State.WAITING, reason);
      again();
    }
  }

  private void again() {
    loss.attempted(progress);
    node.process().after(BACK_OFF_MICROS, this::start);
  }

  void close() {
    closed = true;
    if (reading != null) {
      reading.close();
    }
  }

  /** One reading of the leader's log. */
  private final class Reading {
    private final PullSchedule schedule;
    private final PartitionLog log =
        world.open(World.followedTopic(leader), node.process(), "pull-" + node.process());
    private final LeaseSchedule renewals = new LeaseSchedule();
    private final ArrivedBatches arrived =
        new ArrivedBatches(LIMITS, new ReadAhead(1 << 20), this::resume);
    private @Nullable FencedTail tail;
    private final @Nullable ReplicatedOperations replicated = replicated();
    private PartitionLog.@Nullable Subscription published;
    private @Nullable Runnable stop;
    private boolean ended;
    private boolean awaits;
    private long awaited;

    Reading(ReplicateWire.Cursor cursor) {
      this.schedule = new PullSchedule(cursor, progress, clock, LIMITS);
    }

    /** Null unless the leader is strongly consistent. */
    private @Nullable ReplicatedOperations replicated() {
      return world.indices().isFollowedStrongly(leader)
              && !world.mutated(Mutation.PULL_WHAT_IS_NOT_REPLICATED)
          ? new ReplicatedOperations()
          : null;
    }

    void begin() {
      perform(schedule.begin());
    }

    /** Performs steps until one has to wait. */
    private void perform(Step first) {
      Step next = first;
      try {
        while (next != null && !ended) {
          if (isKilledBefore(next.getClass().getSimpleName())) {
            return;
          }
          next = performed(next);
        }
      } catch (LogException e) {
        close();
        failed(String.valueOf(e.getMessage()));
      }
    }

    /** Returns the next step; null if an event has to come first, or at the end. */
    private @Nullable Step performed(Step step) throws LogException {
      return switch (step) {
        case Step.Compare(LogPosition held) -> schedule.compared(compare(held));
        case Step.RenewLease(long fromOffset) -> {
          lease.renew(renewals, fromOffset, this::renewed);
          yield null;
        }
        case Step.Follow follow -> follow(follow);
        case Step.Await(long timeoutMillis) -> await(timeoutMillis);
        case Step.ReadFrom(long offset) ->
            schedule.recordsFrom(LeaderReader.recordsFrom(log, offset));
        case Step.RequestEnd _ -> schedule.end(log.endOffset());
        case Step.Send send -> {
          requireMapping(send.mappingVersion());
          yield send(send.operations());
        }
        case Step.RequestCursor _ -> end();
        case Step.Lost lost -> {
          if (lost.isNew()) {
            world.note(follower + " lost its leader's history: " + lost.reason());
          }
          yield end();
        }
      };
    }

    private LeaderHistory.Outcome compare(LogPosition held) throws LogException.Unavailable {
      boolean reads = stop != null;
      if (world.mutated(Mutation.PULL_WITHOUT_COMPARING)
          || (reads && world.mutated(Mutation.PULL_ON_AFTER_AN_INTERRUPTION))) {
        return new LeaderHistory.Outcome.Same();
      }
      return world.mutated(Mutation.COMPARE_WITHOUT_DIGESTS)
          ? LeaderHistory.check(
              log, new LogPosition(held.nextOffset(), held.nextSeqNo(), held.fenceTerm()))
          : LeaderHistory.check(log, held);
    }

    private void renewed(boolean wasDue) {
      if (!ended) {
        perform(schedule.renewed(wasDue));
      }
    }

    /** Follows what the leader publishes, from the start: few records, and one term at a time. */
    private void followPublished(ReplicatedOperations gate) {
      published =
          world
              .open(World.replicated(leader), node.process(), "replicated-" + node.process())
              .subscribe(
                  0,
                  new PartitionLog.BatchListener() {
                    @Override
                    public void records(List<StoredRecord> batch) {
                      batch.stream().map(ManifestLog::decode).forEach(gate::seen);
                      if (awaits) {
                        goOn();
                      }
                    }

                    @Override
                    public void lost(LogException.OutOfRange reason) {
                      throw new IllegalStateException(reason);
                    }
                  });
    }

    private Step follow(Step.Follow follow) {
      if (replicated != null) {
        followPublished(replicated);
      }
      FencedTail.Listener reader =
          new LeaderReader(clock, progress, this::arrived, arrived::isReady);
      if (world.mutated(Mutation.PULLER_IGNORES_THE_FENCE)) {
        stop =
            CarelessReader.follow(log, follow.fromOffset(), follow.fence(), CARELESS, reader)
                ::close;
      } else {
        FencedTail opened =
            FencedTail.followShared(log, follow.fromOffset(), follow.fence(), reader);
        tail = opened;
        stop = opened::close;
      }
      return schedule.follows();
    }

    private void resume() {
      if (tail != null) {
        tail.resume();
      }
    }

    private @Nullable Arrived taken() {
      if (replicated != null && replicated.holds()) {
        return replicated.pass();
      }
      try {
        Arrived next = arrived.poll(0, TimeUnit.MILLISECONDS);
        return next == null || replicated == null ? next : replicated.offer(next);
      } catch (InterruptedException e) {
        throw new IllegalStateException("the simulation was interrupted", e);
      }
    }

    private void arrived(Arrived next) {
      arrived.put(next);
      if (awaits) {
        goOn();
      }
    }

    private @Nullable Step await(long timeoutMillis) {
      Arrived next = taken();
      if (next != null) {
        return schedule.arrived(next);
      }
      awaits = true;
      long mine = ++awaited;
      node.process()
          .after(
              timeoutMillis * 1_000,
              () -> {
                if (awaits && mine == awaited) {
                  goOn();
                }
              });
      return null;
    }

    private void goOn() {
      if (!ended) {
        awaits = false;
        perform(schedule.arrived(taken()));
      }
    }

    private @Nullable Step send(List<Operation> operations) {
      SimNode primary = primary();
      if (primary == null) {
        return schedule.notHeld(PullProgress.State.WAITING, "the primary is not started");
      }
      ship(primary, operations, true);
      if (world.faults().deliversTwice()) {
        node.process()
            .after(world.random().nextInt(200_000), () -> ship(primary, operations, false));
      }
      return null;
    }

    private void ship(SimNode primary, List<Operation> operations, boolean answerCounts) {
      world
          .network()
          .<Optional<ReplicateWire.Answer>>call(
              node.process(),
              primary.process(),
              reply ->
                  primary
                      .primary(follower)
                      .ifPresent(
                          opened -> opened.followed().replicate(assignment, operations, reply)),
              answer -> shipped(answerCounts, answer),
              () -> shipped(answerCounts, Optional.empty()));
    }

    private void shipped(boolean counts, Optional<ReplicateWire.Answer> answer) {
      if (counts && !ended) {
        perform(
            answer
                .map(schedule::held)
                .orElseGet(() -> schedule.notHeld(PullProgress.State.WAITING, "not held")));
      }
    }

    private @Nullable Step end() {
      close();
      again();
      return null;
    }

    void close() {
      ended = true;
      arrived.close();
      if (published != null) {
        published.close();
      }
      if (stop != null) {
        stop.run();
      }
    }
  }
}
