package io.varve.shard.primary;

import io.varve.engine.WritableCopy;
import io.varve.events.Operation;
import io.varve.host.CopyContext;
import io.varve.host.FailureReasons;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies accepted operations in lanes and publishes the local checkpoint.
 *
 * <p>INVARIANT: a write is answered as applied only after the checkpoint includes it. An operation
 * that can't be applied fails the copy, because the operations after it would leave a gap in the
 * history.
 */
public final class AppliedOperations implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AppliedOperations.class);
  private static final int OVERHEAD_BYTES = 64;

  /**
   * The listeners of a copy.
   *
   * @param bytes receives the size of each applied operation
   * @param failed is called when the copy can't continue
   */
  public record Listeners(LongConsumer bytes, Consumer<String> failed) {}

  private record Running(WritableCopy copy, AppliedCheckpoint checkpoint, Listeners listeners) {}

  private final ApplyLanes lanes;
  private final OffsetWatcher seqNo = new OffsetWatcher(-1);
  private final OffsetWatcher offset = new OffsetWatcher(0);
  private volatile @Nullable Running running;

  public AppliedOperations(ApplyLanes lanes) {
    this.lanes = lanes;
  }

  /** The seq_no up to which everything is applied. */
  public OffsetWatcher seqNo() {
    return seqNo;
  }

  public OffsetWatcher offset() {
    return offset;
  }

  /**
   * Runs the task when everything up to {@code seqNo} is applied.
   *
   * @param wait the task is dropped when this completes
   */
  void onceApplied(long seqNo, CompletableFuture<Boolean> wait, Runnable task) {
    CompletableFuture<Boolean> reached = this.seqNo.reached(seqNo);
    var _ =
        reached.thenAccept(isApplied -> {
          if (isApplied) {
            task.run();
          }
        });
    var _ = wait.whenComplete((_, _) -> this.seqNo.forget(reached));
  }

  /** The position after the last applied operation, {@code null} before {@link #begin}. */
  public @Nullable LogPosition position(long term) {
    Running now = running;
    if (now == null) {
      return null;
    }
    AppliedCheckpoint.Position position = now.checkpoint().position();
    return new LogPosition(
        position.nextOffset(), position.nextSeqNo(), term, position.lastRecordMillis());
  }

  /**
   * The end of the log relative to what is applied.
   *
   * @param failed called when the log no longer holds that
   */
  LogEnd logEnd(CopyContext context, long term, Consumer<String> failed) {
    return new LogEnd(
        context.operations(),
        () -> position(term),
        offset,
        context.node().blocking(),
        lost -> failed.accept(String.valueOf(lost.getMessage())));
  }

  /** Must be called once before {@link #accept}. */
  public void begin(WritableCopy copy, AppliedCheckpoint checkpoint, Listeners listeners) {
    seqNo.advanceTo(checkpoint.position().nextSeqNo() - 1);
    running = new Running(copy, checkpoint, listeners);
  }

  public void accept(List<Batch.Pending> accepted) {
    lanes.submit(accepted, pending -> pending.operation.id(), this::apply);
  }

  private void apply(Batch.Pending pending) {
    Running now = running;
    if (now == null) {
      pending.ending.unknown("the copy was closed before the operation was applied");
      return;
    }
    Operation operation = pending.operation;
    try {
      now.copy().apply(pending.offset, operation, pending.resolved);
    } catch (Throwable e) {
      // After an Error the operation is missing just as after an exception.
      LOG.error("can't apply seq_no {}", operation.seqNo(), e);
      String reason = FailureReasons.of(e);
      pending.ending.unknown("it is in the log, but could not be applied: " + reason);
      now.listeners().failed().accept("can't apply seq_no " + operation.seqNo() + ": " + reason);
      return;
    }
    pending.ending.indexed();
    byte[] source = operation.source();
    now.listeners().bytes().accept(OVERHEAD_BYTES + (source == null ? 0 : source.length));
    AppliedCheckpoint.Position position =
        now.checkpoint().applied(operation.seqNo(), pending.offset, pending.timestampMillis);
    offset.advanceTo(position.nextOffset());
    seqNo.advanceTo(position.nextSeqNo() - 1);
    pending.ending.applied();
  }

  /** Ends all waits for operations that are not applied yet. */
  @Override
  public void close() {
    running = null;
    seqNo.close();
    offset.close();
  }
}
