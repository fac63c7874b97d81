package io.varve.host.reading;

import io.varve.events.StoredRecord;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.process.SingleFlight;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest seq_no that the log has accepted. Only the log is consulted, so that a primary
 * that does not know that it was fenced detects the writes of its successor.
 *
 * <pre>
 *   the copy is at the log's end                  its own newest seq_no
 *   it is a few records behind                    reads those and applies the fence rule
 *   it is far behind                              waits until it has reached that end
 *   it is beyond the end                          the log lost its tail: the copy is notified
 * </pre>
 *
 * <p>The record before these few records is also read: if it is not the last one that the copy
 * applied, the log was replaced, and the copy is notified as well.
 *
 * <p>The few records need not be operations: fences and rejected records of a fenced writer may
 * follow the last operation. No copy ever applies these, so a wait for them would never end.
 */
public final class LogEnd {

  /**
   * The maximum number of records that are read and evaluated here; beyond that, the read waits for
   * the copy.
   */
  static final int FEW_RECORDS = 256;

  /** The maximum wait of a read. */
  private static final long LONGEST_WAIT_SECONDS = 120;

  /** The next action on the way to the end. */
  sealed interface Step {

    /** The copy has reached the end. */
    record Known(long seqNo) implements Step {}

    /** The records up to the end have to be evaluated. */
    record Judge(LogPosition from, long endOffset) implements Step {}

    /** The copy first has to reach the end. */
    record Await(long endOffset) implements Step {}

    /** The log ends before the last operation that the copy has applied. */
    record Beyond(LogPosition at) implements Step {}
  }

  private final PartitionLog log;
  private final Supplier<@Nullable LogPosition> at;
  private final OffsetWatcher offsets;
  private final Executor blocking;
  private final Consumer<LogException.Lost> lost;
  private final SingleFlight<Read> reads = new SingleFlight<>(this::begin);

  /**
   * @param at the copy's position; null before it has one
   * @param offsets increases with that position
   * @param lost called when the log no longer holds everything that the copy has applied
   */
  public LogEnd(
      PartitionLog log,
      Supplier<@Nullable LogPosition> at,
      OffsetWatcher offsets,
      Executor blocking,
      Consumer<LogException.Lost> lost) {
    this.log = log;
    this.at = at;
    this.offsets = offsets;
    this.blocking = blocking;
    this.lost = lost;
  }

  static Step step(@Nullable LogPosition at, long endOffset) {
    if (at == null) {
      return new Step.Await(endOffset);
    }
    if (at.nextOffset() > endOffset) {
      return new Step.Beyond(at);
    }
    if (at.nextOffset() == endOffset) {
      return new Step.Known(at.nextSeqNo() - 1);
    }
    return endOffset - at.nextOffset() <= FEW_RECORDS
        ? new Step.Judge(at, endOffset)
        : new Step.Await(endOffset);
  }

  /**
   * The newest seq_no that was accepted at a moment after this call; -1 for none. Fails if the log
   * cannot be read, or if the copy ends first.
   *
   * <p>One read is made at a time; calls during a read share the next one. Waiting for a copy to
   * catch up does not delay the next read.
   */
  public CompletableFuture<Long> newest() {
    return reads.run().thenCompose(Read::newest);
  }

  /**
   * A read of the log that has ended.
   *
   * @param newest the newest seq_no, which may be known later, if the copy is far behind
   */
  private record Read(CompletableFuture<Long> newest) {}

  private CompletableFuture<Read> begin() {
    CompletableFuture<Read> ended = new CompletableFuture<>();
    CompletableFuture<Long> newest = new CompletableFuture<>();
    try {
      blocking.execute(() -> {
        try {
          look(newest);
        } finally {
          ended.complete(new Read(newest));
        }
      });
    } catch (RejectedExecutionException e) {
      newest.completeExceptionally(unknown("the node is closing"));
      ended.complete(new Read(newest));
    }
    return ended;
  }

  private void look(CompletableFuture<Long> newest) {
    try {
      find(newest);
    } catch (LogException.Lost e) {
      newest.completeExceptionally(unknown(String.valueOf(e.getMessage())));
      lost.accept(e);
    } catch (LogException | RuntimeException e) {
      newest.completeExceptionally(unknown(String.valueOf(e.getMessage())));
    } catch (Error e) {
      newest.completeExceptionally(unknown(e.toString()));
      throw e;
    }
  }

  /**
   * Waits for {@link #newest()}.
   *
   * @throws ApiException 503 if it is not known in time
   */
  public long newest(Duration timeout) throws InterruptedException {
    try {
      return newest().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw unknown("no answer within " + timeout);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ApiException refused
          ? refused
          : unknown(String.valueOf(e.getCause()));
    }
  }

  private void find(CompletableFuture<Long> newest) throws LogException {
    // INVARIANT: the position is taken before the end is requested, so that the end is not behind
    // it.
    LogPosition position = at.get();
    long end = log.endOffset();
    switch (step(position, end)) {
      case Step.Known known -> newest.complete(known.seqNo());
      case Step.Judge judge -> newest.complete(judge(judge));
      case Step.Await await -> await(await.endOffset(), newest);
      case Step.Beyond beyond -> {
        // Checked again, because the consequences are not undone.
        LogContinuity.requireNotLost(log, beyond.at());
        throw new LogException.Unavailable("the log lost its tail and regained it");
      }
    }
  }

  /** A copy that was fenced and does not know it never reaches the end. */
  private void await(long endOffset, CompletableFuture<Long> newest) {
    CompletableFuture<Boolean> there = offsets.reached(endOffset);
    var _ =
        there.thenAccept(reached -> {
          LogPosition position = at.get();
          if (reached && position != null) {
            newest.complete(position.nextSeqNo() - 1);
          } else {
            newest.completeExceptionally(unknown("the copy was closed, or is far behind"));
          }
        });
    var _ =
        newest
            .orTimeout(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)
            .whenComplete((_, _) -> offsets.forget(there));
  }

  private long judge(Step.Judge judge) throws LogException {
    LogPosition from = judge.from();
    TermFence fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    StoredRecord[] before = {null};
    try {
      log.read(
          Math.max(0, from.nextOffset() - 1),
          judge.endOffset(),
          stored -> {
            if (stored.offset() < from.nextOffset()) {
              before[0] = stored;
            } else {
              fence.judge(log, stored);
            }
          });
    } catch (LogException.OutOfRange e) {
      return judgeWithoutTheRecordBefore(judge);
    }
    LogContinuity.requireNotLost(log, from, judge.endOffset(), before[0]);
    return fence.nextSeqNo() - 1;
  }

  private long judgeWithoutTheRecordBefore(Step.Judge judge) throws LogException {
    LogPosition from = judge.from();
    LogContinuity.require(log, from);
    TermFence fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    log.read(from.nextOffset(), judge.endOffset(), stored -> fence.judge(log, stored));
    return fence.nextSeqNo() - 1;
  }

  private ApiException unknown(String reason) {
    return new ApiException(
        503,
        "log_end_unknown_exception",
        "the end of " + log.topic() + "-" + log.partition() + " is not known: " + reason);
  }
}
