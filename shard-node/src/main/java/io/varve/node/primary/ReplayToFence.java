package io.varve.node.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.ShardEngine;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.StoredRecord;
import io.varve.log.FencedReplay;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.node.CopyContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Brings an engine from its last commit to a fence of its own: reads every record between, drops
 * what the fence rule rejects, applies the rest in lanes.
 */
final class ReplayToFence {

  private static final int MAX_UNAPPLIED = 2_000;
  private static final Duration MAPPING_TIMEOUT = Duration.ofSeconds(30);

  /**
   * The end of a replay.
   *
   * @param fence the state behind the fence that was replayed to
   * @param ownFence whether that fence won
   * @param origin where the newest operation came from in another cluster's log, if it did
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
  private final Semaphore unapplied = new Semaphore(MAX_UNAPPLIED);
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final TermFence fence;
  private Operation.@Nullable Origin origin;
  private long operations;

  ReplayToFence(
      CopyContext context,
      PartitionLog log,
      ShardEngine engine,
      ApplyLanes lanes,
      Checkpoint from) {
    this.context = context;
    this.log = log;
    this.engine = engine;
    this.lanes = lanes;
    this.fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
  }

  /** Blocks until everything before {@code fenceOffset} is applied. */
  Result run(long fromOffset, long fenceOffset) throws LogException, InterruptedException {
    TermFence.Verdict ownFence =
        FencedReplay.upTo(log, fromOffset, fenceOffset, fence, this::visit);
    unapplied.acquire(MAX_UNAPPLIED);
    throwFailure();
    return new Result(fence, ownFence, origin, operations);
  }

  private void visit(StoredRecord stored) {
    throwFailure();
    Operation operation = OperationCodec.decode(stored.record());
    operations++;
    if (operation.origin() != null) {
      origin = operation.origin();
    }
    try {
      context.awaitMapping(operation.mappingVersion(), MAPPING_TIMEOUT);
      unapplied.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while replaying", e);
    }
    lanes.submit(List.of(operation), Operation::id, next -> apply(stored.offset(), next));
  }

  private void apply(long offset, Operation operation) {
    try {
      engine.apply(offset, operation, null);
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    } finally {
      unapplied.release();
    }
  }

  private void throwFailure() {
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }
}
