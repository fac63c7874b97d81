package io.varve.node.reading;

import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a copy the newest seq_no that the log has accepted, without asking anybody but the log: so
 * a primary that was fenced and does not know it learns of writes that it never saw.
 *
 * <pre>
 *   the copy is at the log's end                  its own newest seq_no
 *   it is a few records behind                    reads those and judges them by the fence
 *   it is far behind                              waits until it has got to that end
 * </pre>
 *
 * <p>The few records need not be operations: behind the last operation stand fences and what a
 * fenced writer left, which no copy ever applies. Waiting for those would never end.
 */
public final class LogEnd {

  /** Records that are read and judged; of more the copy is waited for. */
  static final int FEW_RECORDS = 256;

  /** No read waits for longer. */
  private static final long LONGEST_WAIT_SECONDS = 120;

  /**
   * Where a copy is in the log, with the state of the fence there.
   *
   * @param nextOffset everything before is in the copy
   * @param nextSeqNo of the next operation that is accepted
   */
  public record Position(long nextOffset, long nextSeqNo, long fenceTerm) {}

  /** What is to be done to know the end. */
  sealed interface Step {

    /** The copy is there. */
    record Known(long seqNo) implements Step {}

    /** The records up to the end are judged. */
    record Judge(Position from, long endOffset) implements Step {}

    /** The copy first has to get there. */
    record Await(long endOffset) implements Step {}
  }

  private final PartitionLog log;
  private final Supplier<@Nullable Position> at;
  private final OffsetWatcher offsets;
  private final Executor blocking;
  private final Object lock = new Object();
  private boolean looking;
  private @Nullable CompletableFuture<Long> next;

  /**
   * @param at where the copy is; null before it is anywhere
   * @param offsets rises with that place
   */
  public LogEnd(
      PartitionLog log, Supplier<@Nullable Position> at, OffsetWatcher offsets, Executor blocking) {
    this.log = log;
    this.at = at;
    this.offsets = offsets;
    this.blocking = blocking;
  }

  static Step step(@Nullable Position at, long endOffset) {
    if (at == null) {
      return new Step.Await(endOffset);
    }
    if (at.nextOffset() >= endOffset) {
      return new Step.Known(at.nextSeqNo() - 1);
    }
    return endOffset - at.nextOffset() <= FEW_RECORDS
        ? new Step.Judge(at, endOffset)
        : new Step.Await(endOffset);
  }

  /**
   * The newest seq_no that was accepted at a moment after this call; -1 for none. Fails when the
   * log can't be read or the copy ends before it is known.
   *
   * <p>One look is made at a time; those who ask meanwhile share the next one. A copy that is
   * waited for holds up no look.
   */
  public CompletableFuture<Long> newest() {
    CompletableFuture<Long> look;
    synchronized (lock) {
      if (looking) {
        look = next == null ? new CompletableFuture<>() : next;
        next = look;
        return look;
      }
      looking = true;
      look = new CompletableFuture<>();
    }
    begin(look);
    return look;
  }

  private void begin(CompletableFuture<Long> look) {
    try {
      blocking.execute(() -> look(look));
    } catch (RejectedExecutionException e) {
      look.completeExceptionally(unknown("the node is closing"));
      beginNext();
    }
  }

  private void look(CompletableFuture<Long> look) {
    try {
      find(look);
    } catch (LogException | RuntimeException e) {
      look.completeExceptionally(unknown(String.valueOf(e.getMessage())));
    } finally {
      beginNext();
    }
  }

  private void beginNext() {
    CompletableFuture<Long> begun;
    synchronized (lock) {
      begun = next;
      next = null;
      looking = begun != null;
    }
    if (begun != null) {
      begin(begun);
    }
  }

  /**
   * Waits for {@link #newest()}.
   *
   * @throws ApiException 503 when it is not known in time
   */
  public long newest(Duration timeout) throws InterruptedException {
    try {
      return newest().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw unknown("no answer within " + timeout);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ApiException told
          ? told
          : unknown(String.valueOf(e.getCause()));
    }
  }

  private void find(CompletableFuture<Long> newest) throws LogException {
    switch (step(at.get(), log.endOffset())) {
      case Step.Known known -> newest.complete(known.seqNo());
      case Step.Judge judge -> newest.complete(judge(judge));
      case Step.Await await -> await(await.endOffset(), newest);
    }
  }

  /** A copy that was fenced and does not know it never gets there. */
  private void await(long endOffset, CompletableFuture<Long> newest) {
    CompletableFuture<Boolean> there = offsets.reached(endOffset);
    var _ =
        there.thenAccept(reached -> {
          Position position = at.get();
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
    TermFence fence = new TermFence(judge.from().fenceTerm(), judge.from().nextSeqNo());
    log.read(
        judge.from().nextOffset(),
        judge.endOffset(),
        (StoredRecord stored) -> fence.judge(stored.record()));
    return fence.nextSeqNo() - 1;
  }

  private ApiException unknown(String reason) {
    return new ApiException(
        503,
        "log_end_unknown_exception",
        "the end of " + log.topic() + "-" + log.partition() + " is not known: " + reason);
  }
}
