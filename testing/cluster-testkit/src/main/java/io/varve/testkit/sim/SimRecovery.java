package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.StoredRecord;
import io.varve.host.apply.Origins;
import io.varve.log.FencedReplay;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.TermFence.Verdict;
import io.varve.shard.primary.RecoverySchedule;
import io.varve.shard.primary.RecoverySchedule.LogStep;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replay of a primary, from its open folder to its fence: carries out production's {@link
 * RecoverySchedule}. It retries if the log is unreachable, and waits if the log lost operations
 * that are applied here; any other failure requires a new term.
 */
final class SimRecovery {

  private static final long RETRY_MICROS = 40_000;

  /**
   * The result of a recovery.
   *
   * @param fence state after the fence
   * @param origin of the newest operation in another cluster's log, if it has one
   */
  record Reached(
      TermFence fence, Verdict ownFence, long fenceOffset, Operation.@Nullable Origin origin) {}

  private final PrimaryActor primary;
  private final PartitionLog log;
  private final FencedWriter writer;
  private final RecoverySchedule schedule;
  private final TermFence fence;
  private final Consumer<Reached> reached;
  private long nextOffset;
  private Verdict last = Verdict.FENCE_LOST;
  private Operation.@Nullable Origin origin;

  SimRecovery(
      PrimaryActor primary,
      PartitionLog log,
      FencedWriter writer,
      RecoverySchedule schedule,
      Consumer<Reached> reached) {
    AppliedPosition from = primary.checkpoint();
    this.primary = primary;
    this.log = log;
    this.writer = writer;
    this.reached = reached;
    this.schedule = schedule;
    this.fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    this.nextOffset = from.nextOffset();
    this.origin = Origins.ofCommit(primary.engine.committedData());
  }

  void start() {
    carryOut(schedule.opened(nextOffset));
  }

  private void carryOut(LogStep step) {
    switch (step) {
      case LogStep.VerifyApplied _ -> verifyApplied();
      case LogStep.CatchUp(long lastOffset) -> replayTo(lastOffset, this::askEnd);
      case LogStep.VerifyHeldByOthers _ -> new SimHeldByOthers(primary, this::othersHold).ask();
      case LogStep.AppendFence _ -> appendFence();
      case LogStep.ReplayToFence(long fenceOffset) ->
          replayTo(fenceOffset, () -> carryOut(schedule.replayed(fence.nextSeqNo())));
      case LogStep.OpenGate _ -> reached.accept(new Reached(fence, last, nextOffset - 1, origin));
      case LogStep.LogWentBack _, LogStep.LogLacksHeld _ ->
          primary.requestTerm("the log went back");
    }
  }

  private void othersHold(long nextSeqNo) {
    schedule.othersHold(nextSeqNo);
    askEnd();
  }

  private void verifyApplied() {
    try {
      if (LogLossCheck.isAppliedLost(primary.world, log, primary.checkpoint())) {
        primary.after(LogLossCheck.RETRY_MICROS, this::verifyApplied);
        return;
      }
    } catch (LogException.Unavailable e) {
      primary.after(RETRY_MICROS, this::verifyApplied);
      return;
    }
    askEnd();
  }

  private void askEnd() {
    long end;
    try {
      end = log.endOffset();
    } catch (LogException.Unavailable e) {
      primary.after(RETRY_MICROS, this::askEnd);
      return;
    }
    carryOut(schedule.logEndsAt(end));
  }

  private void replayTo(long lastOffset, Runnable then) {
    try {
      last =
          primary.world.judgesCarelessly()
              ? CarelessReader.upTo(
                  log, nextOffset, lastOffset, fence, primary.world.mutations(), this::accepted)
              : FencedReplay.upTo(log, nextOffset, lastOffset, fence, this::accepted);
    } catch (LogException.Unavailable e) {
      primary.after(RETRY_MICROS, () -> replayTo(lastOffset, then));
      return;
    } catch (LogException e) {
      primary.requestTerm("the log was truncated under a replay");
      return;
    }
    nextOffset = lastOffset + 1;
    primary.whenApplied(then);
  }

  private void accepted(StoredRecord stored) {
    Operation operation = OperationCodec.decode(stored.record());
    if (operation.origin() != null) {
      origin = operation.origin();
    }
    primary.take(stored.offset(), operation);
  }

  private void appendFence() {
    try {
      writer.appendFence(outcome -> {
        switch (outcome) {
          case FencedWriter.Outcome.Accepted accepted -> {
            if (!primary.closed) {
              carryOut(schedule.fenced(accepted.offset()));
            }
          }
          case FencedWriter.Outcome.Unknown(String reason) -> primary.requestTerm(reason);
          case FencedWriter.Outcome.Rejected(String reason) -> primary.requestTerm(reason);
        }
      });
    } catch (LogException.Full e) {
      primary.requestTerm("full");
    }
  }
}
