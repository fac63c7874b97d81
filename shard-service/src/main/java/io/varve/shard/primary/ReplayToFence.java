package io.varve.shard.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.EngineException;
import io.varve.engine.ShardEngine;
import io.varve.events.MalformedRecordException;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.host.ReadAhead;
import io.varve.host.apply.ApplyLanes;
import io.varve.log.FencedReplay;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Replays the log into an engine, from its last commit to the primary's own fence: reads every
 * record, drops those that {@link TermFence} rejects, and applies the others in lanes.
 */
final class ReplayToFence {

  private static final int MAX_UNAPPLIED = 2_000;
  private static final Duration MAPPING_TIMEOUT = Duration.ofSeconds(30);

  /**
   * The end of a replay.
   *
   * @param fence the state after the fence that was replayed
   * @param ownFence whether that fence won
   * @param origin the position of the newest operation in another cluster's log, if it has one
   */
  record Result(
      TermFence fence,
      TermFence.Verdict ownFence,
      Operation.@Nullable Origin origin,
      long operations) {}

  private final CopyContext context;
  private final PartitionLog log;
  private final ShardEngine engine;
  private final ApplyLanes lanes;
  private final UnaryOperator<Operation> asApplied;
  private final Semaphore unapplied = new Semaphore(MAX_UNAPPLIED);
  private final ReadAhead readAhead;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final TermFence fence;
  private Operation.@Nullable Origin origin;
  private long nextOffset;
  private long operations;

  ReplayToFence(
      CopyContext context,
      PartitionLog log,
      ShardEngine engine,
      ApplyLanes lanes,
      Checkpoint from) {
    this(context, log, engine, lanes, from, UnaryOperator.identity());
  }

  /**
   * @param asApplied converts an operation of the log to the one that is applied
   */
  ReplayToFence(
      CopyContext context,
      PartitionLog log,
      ShardEngine engine,
      ApplyLanes lanes,
      Checkpoint from,
      UnaryOperator<Operation> asApplied) {
    this.asApplied = asApplied;
    this.context = context;
    this.log = log;
    this.engine = engine;
    this.lanes = lanes;
    this.readAhead = context.node().applying().readAhead();
    this.fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    this.nextOffset = from.nextOffset();
  }

  /**
   * Blocks until everything up to and including {@code lastOffset} is applied. Returns the verdict
   * on the record at that offset.
   */
  TermFence.Verdict replayTo(long lastOffset) throws LogException, InterruptedException {
    TermFence.Verdict last = FencedReplay.upTo(log, nextOffset, lastOffset, fence, this::visit);
    nextOffset = lastOffset + 1;
    unapplied.acquire(MAX_UNAPPLIED);
    unapplied.release(MAX_UNAPPLIED);
    throwFailure();
    return last;
  }

  /** Returns the result of the replay; called after {@link #replayTo} has returned. */
  Result result(TermFence.Verdict ownFence) {
    return new Result(fence, ownFence, origin, operations);
  }

  private void visit(StoredRecord stored) {
    throwFailure();
    Operation operation = asApplied.apply(decoded(stored));
    operations++;
    if (operation.origin() != null) {
      origin = operation.origin();
    }
    try {
      context.awaitMapping(operation.mappingVersion(), MAPPING_TIMEOUT);
      awaitRoom(stored.record().sizeBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while replaying", e);
    }
    lanes.submit(List.of(operation), Operation::id, next -> apply(stored, next));
  }

  private Operation decoded(StoredRecord stored) {
    try {
      return OperationCodec.decode(stored.record());
    } catch (MalformedRecordException e) {
      throw new UnreadableRecordException(log, stored.offset(), e);
    }
  }

  private void awaitRoom(int sizeBytes) throws InterruptedException {
    readAhead.acquire(sizeBytes);
    try {
      unapplied.acquire();
    } catch (InterruptedException e) {
      readAhead.release(sizeBytes);
      throw e;
    }
  }

  private void apply(StoredRecord stored, Operation operation) {
    try {
      engine.apply(stored.offset(), operation, null);
    } catch (Throwable e) {
      // Catches an Error too: an operation that failed must never be treated as applied.
      failure.compareAndSet(null, e);
    } finally {
      readAhead.release(stored.record().sizeBytes());
      unapplied.release();
    }
  }

  private void throwFailure() {
    Throwable failed = failure.get();
    if (failed != null) {
      throw new EngineException("an accepted operation could not be applied: " + failed, failed);
    }
  }
}
