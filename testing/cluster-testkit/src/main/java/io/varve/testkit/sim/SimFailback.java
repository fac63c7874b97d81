package io.varve.testkit.sim;

import io.varve.cluster.Failback;
import io.varve.cluster.FormerLog;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.host.apply.Origins;
import io.varve.log.FencedReplay;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ForkPlace;
import io.varve.shard.primary.FailbackSchedule;
import io.varve.shard.primary.FailbackSchedule.Step;
import io.varve.shard.primary.Quarantine;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The start of the primary of an index that replaces a former leader index: performs the steps of
 * production's {@link FailbackSchedule}, with production's {@link FormerLog} and {@link
 * Quarantine}, as production's {@code FailbackBeginning} does. Time passes between the steps.
 */
final class SimFailback {

  /** In the data of a commit: the index from whose log its content was replayed. */
  static final String BASE = "simulated_base";

  private static final long RETRY_MICROS = 60_000;
  private static final int MOST_STEP_MICROS = 80_000;

  private final World world;
  private final PrimaryActor primary;
  private final Failback failback;
  private final ForkPlace fork;
  private final PartitionLog former;
  private final Runnable begun;
  private final Runnable copies;
  private FailbackSchedule schedule = new FailbackSchedule();
  private Quarantine.@Nullable Fenced fenced;

  /**
   * @param begun is run when the folder has the operations up to the fork
   * @param copies is run if the promoted index's segments are needed
   */
  SimFailback(PrimaryActor primary, Failback failback, Runnable begun, Runnable copies) {
    this.world = primary.world;
    this.primary = primary;
    this.failback = failback;
    this.fork = Objects.requireNonNull(failback.forks().get(primary.shard.number()));
    this.begun = begun;
    this.copies = copies;
    SimProcess process = primary.node.process();
    this.former = world.open("ops." + failback.formerUuid(), process, "failback-" + process);
  }

  void start() {
    schedule = new FailbackSchedule();
    next(schedule.begin());
  }

  private void next(Step step) {
    primary.after(world.random().nextInt(MOST_STEP_MICROS), () -> attempt(step));
  }

  private void attempt(Step step) {
    try {
      perform(step);
    } catch (LogException | IOException e) {
      failed(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw new IllegalStateException("the simulation was interrupted", e);
    }
  }

  private void failed(String reason) {
    world.note(primary + " tries to fail back again: " + reason);
    primary.after(RETRY_MICROS, this::start);
  }

  private void perform(Step step) throws LogException, IOException, InterruptedException {
    switch (step) {
      case Step.AppendFence _ -> fence();
      case Step.CheckLog _ -> next(schedule.checked(FormerLog.check(former, fork)));
      case Step.Quarantine(boolean hasFork) -> {
        Quarantine quarantine =
            new Quarantine(former, new QuarantineLog(world, primary.node.process()));
        long copied = quarantine.fill(fork, Objects.requireNonNull(fenced), hasFork);
        world.note(primary + " puts " + copied + " operations in quarantine");
        next(schedule.quarantined());
      }
      case Step.Replay _ -> {
        replay(new SimPins.Pinned(AppliedPosition.START, List.of()));
        world.note(primary + " replayed the former log up to " + fork);
        next(schedule.replayed());
      }
      case Step.ContinuePinned _ -> next(schedule.continued(continuePinned()));
      case Step.Begin _ -> begun.run();
      case Step.CopySegments(String reason) -> {
        world.note(primary + " can't replay the former log: " + reason);
        copies.run();
      }
      case Step.Refuse(String reason) -> throw new IOException(reason);
    }
  }

  private void fence() throws LogException, IOException {
    Optional<IndexMetadata> closed =
        primary.node.state().index(failback.formerUuid()).filter(IndexMetadata::closed);
    if (closed.isEmpty()) {
      throw new IOException("the former index is open or deleted");
    }
    if (world.mutated(Mutation.FAIL_BACK_WITHOUT_A_FENCE)) {
      long end = former.endOffset();
      long term = world.logs().acceptedLog(World.LEADER).termBefore(end);
      fenced = new Quarantine.Fenced(end - 1, term);
      next(schedule.fenced());
      return;
    }
    long term = closed.get().shard(primary.shard.number()).primaryTerm() + 1;
    former.append(
        RecordHeader.fence(term, primary.node.nodeId()),
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            primary.after(
                0,
                () -> {
                  fenced = new Quarantine.Fenced(offset, term);
                  next(schedule.fenced());
                });
          }

          @Override
          public void unknown(String reason) {
            primary.after(0, () -> failed(reason));
          }
        });
  }

  /** Continues from a commit that was pinned on this node; false if there is none. */
  private boolean continuePinned() throws LogException, IOException {
    boolean past = world.mutated(Mutation.CONTINUE_FROM_A_COMMIT_PAST_THE_FORK);
    Optional<SimPins.Pinned> pinned =
        SimPins.newest(
            primary.node,
            new ShardId(failback.formerUuid(), primary.shard.number()),
            past ? Long.MAX_VALUE : fork.leaderOffset() + 1,
            past ? Long.MAX_VALUE : fork.seqNo());
    if (pinned.isEmpty() || !continues(pinned.get().checkpoint())) {
      return false;
    }
    replay(pinned.get());
    world.note(primary + " continued from a pinned commit up to " + fork);
    return true;
  }

  private boolean continues(AppliedPosition pinned) throws LogException {
    return switch (LogContinuity.check(
        former, new LogPosition(pinned.nextOffset(), pinned.nextSeqNo(), pinned.fenceTerm()))) {
      case LogContinuity.Outcome.Continues _, LogContinuity.Outcome.Unverifiable _ -> true;
      case LogContinuity.Outcome.Truncated _, LogContinuity.Outcome.Lost _ -> false;
    };
  }

  private void replay(SimPins.Pinned base) throws LogException, IOException {
    boolean past =
        world.mutated(Mutation.REPLAY_PAST_THE_FORK)
            || world.mutated(Mutation.CONTINUE_FROM_A_COMMIT_PAST_THE_FORK);
    long lastOffset =
        world.mutated(Mutation.REPLAY_PAST_THE_FORK) ? former.endOffset() - 1 : fork.leaderOffset();
    Map<String, Operation> documents = base.documents();
    AppliedPosition from = base.checkpoint();
    TermFence fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    if (lastOffset >= from.nextOffset()) {
      var _ =
          FencedReplay.upTo(
              former,
              from.nextOffset(),
              lastOffset,
              fence,
              stored -> {
                Operation operation = OperationCodec.decode(stored.record());
                documents.merge(
                    operation.id(), operation, (a, b) -> a.seqNo() >= b.seqNo() ? a : b);
              });
    }
    if (fence.nextSeqNo() != fork.seqNo() + 1 && !past) {
      throw new IOException("the former log has seq_no " + (fence.nextSeqNo() - 1) + " at " + fork);
    }
    Map<String, String> data = new HashMap<>(Origins.commitDataOf(fork));
    data.put(BASE, failback.formerUuid());
    String name = "b" + primary.node.process() + "t" + primary.term();
    primary.rebuild(
        new RestoredFolder(
            new AppliedPosition(0, fork.seqNo() + 1, 0),
            List.of(Segment.of(name, "id-" + name, documents)),
            data));
  }
}
