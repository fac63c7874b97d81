package io.varve.replication.replica;

import io.varve.engine.Checkpoint;
import io.varve.engine.EngineException;
import io.varve.engine.ShardEngine;
import io.varve.events.MalformedRecordException;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.host.FailureReasons;
import io.varve.host.ReadAhead;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.apply.Origins;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Applies a shard's accepted operations in lanes, in the order of the log. The number of operations
 * that were read but not applied is limited; at the limit, reading pauses.
 *
 * <p>{@link #checkpoint} is a position from which a replay misses nothing: the offset after the
 * last operation without a gap, and the term under which this operation was accepted. Later fences
 * are read again.
 */
final class DocumentApplier implements FencedTail.Listener, AutoCloseable {

  private static final int MAX_UNAPPLIED = 4_000;
  private static final Duration MAPPING_TIMEOUT = Duration.ofSeconds(60);

  private record Accepted(StoredRecord stored, Operation operation) {
    int sizeBytes() {
      return stored.record().sizeBytes();
    }
  }

  /**
   * The content of a refresh.
   *
   * @param oldestMillis append time of the oldest operation that no earlier refresh has shown; 0
   *     for none
   */
  record Showing(Checkpoint checkpoint, long oldestMillis) {}

  private final CopyContext context;
  private final PartitionLog log;
  private final ShardEngine engine;
  private final Consumer<RuntimeException> onBroken;
  private final ApplyLanes lanes;
  private final AppliedCheckpoint applied;
  private final Origins origins;
  private final TermHistory terms;
  private final OffsetWatcher appliedSeqNo;
  private final OffsetWatcher appliedOffset;
  private final Semaphore unapplied = new Semaphore(MAX_UNAPPLIED);
  private final ReadAhead readAhead;
  private final AtomicLong bytes = new AtomicLong();
  private final UnshownReads unshown = new UnshownReads();
  private final FencedTail tail;
  private volatile long lastReadSeqNo;
  private volatile boolean broken;
  private volatile long newestTerm;

  /**
   * @param onBroken called once, when nothing more can be applied; with an {@link
   *     UnreadableRecordException} if everything before a record is applied and the record cannot
   *     be read; caused by {@link LogException.OutOfRange} if the log has no record at the position
   */
  DocumentApplier(
      CopyContext context,
      PartitionLog log,
      ShardEngine engine,
      Consumer<RuntimeException> onBroken) {
    this.context = context;
    this.log = log;
    this.engine = engine;
    this.onBroken = onBroken;
    Checkpoint from = engine.committed();
    lanes =
        new ApplyLanes(
            Runtime.getRuntime().availableProcessors(), context.node().applying().threads());
    readAhead = context.node().applying().readAhead();
    applied = new AppliedCheckpoint(from.nextOffset(), from.nextSeqNo(), from.lastRecordMillis());
    origins = Origins.ofCommit(engine.committedData(), from.nextSeqNo() - 1);
    terms = new TermHistory(from.fenceTerm(), from.nextSeqNo());
    appliedSeqNo = new OffsetWatcher(from.nextSeqNo() - 1);
    appliedOffset = new OffsetWatcher(from.nextOffset());
    lastReadSeqNo = from.nextSeqNo() - 1;
    newestTerm = from.fenceTerm();
    tail =
        FencedTail.follow(
            log, from.nextOffset(), new TermFence(from.fenceTerm(), from.nextSeqNo()), this);
  }

  @Override
  public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
    if (broken) {
      return;
    }
    try {
      for (StoredRecord stored : batch) {
        hand(stored);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      broken("interrupted");
      return;
    } catch (UnreadableRecordException e) {
      unreadable(e);
      return;
    } catch (Throwable e) {
      // An Error leaves the same gap as an exception.
      broken(e.toString());
      return;
    }
    newestTerm = term;
    long last = lastReadSeqNo;
    var _ =
        appliedSeqNo
            .reached(last)
            .thenAccept(reached -> {
              if (reached) {
                appliedOffset.advanceTo(nextOffset);
              }
            });
  }

  private Operation decoded(StoredRecord stored) {
    try {
      return OperationCodec.decode(stored.record());
    } catch (MalformedRecordException e) {
      throw new UnreadableRecordException(log, stored.offset(), e);
    }
  }

  private void hand(StoredRecord stored) throws InterruptedException {
    Operation operation = decoded(stored);
    context.awaitMapping(operation.mappingVersion(), MAPPING_TIMEOUT);
    int sizeBytes = stored.record().sizeBytes();
    readAhead.acquire(sizeBytes);
    try {
      unapplied.acquire();
    } catch (InterruptedException e) {
      readAhead.release(sizeBytes);
      throw e;
    }
    if (broken) {
      readAhead.release(sizeBytes);
      unapplied.release();
      return;
    }
    terms.accepted(operation.seqNo(), operation.term());
    lastReadSeqNo = operation.seqNo();
    unshown.read(operation.seqNo(), stored.timestampMillis());
    bytes.addAndGet(sizeBytes);
    lanes.submit(
        List.of(new Accepted(stored, operation)),
        accepted -> accepted.operation().id(),
        this::apply);
  }

  private void apply(Accepted accepted) {
    try {
      if (!broken) {
        engine.apply(accepted.stored().offset(), accepted.operation(), null);
        origins.applied(accepted.operation());
        long nextSeqNo =
            applied
                .applied(
                    accepted.operation().seqNo(),
                    accepted.stored().offset(),
                    accepted.stored().timestampMillis())
                .nextSeqNo();
        unshown.applied(nextSeqNo);
        appliedSeqNo.advanceTo(nextSeqNo - 1);
      }
    } catch (Throwable e) {
      broken(
          "seq_no " + accepted.operation().seqNo() + " can't be applied: " + FailureReasons.of(e));
    } finally {
      readAhead.release(accepted.sizeBytes());
      unapplied.release();
    }
  }

  @Override
  public void lost(LogException.OutOfRange reason) {
    if (!broken) {
      broken = true;
      onBroken.accept(
          new EngineException(
              "operations that this copy lacks are no longer in the log: " + reason.getMessage(),
              reason));
    }
  }

  /** The operations before that record are still applied. */
  @Override
  public void unreadable(UnreadableRecordException reason) {
    onBroken.accept(reason);
  }

  private void broken(String reason) {
    if (!broken) {
      broken = true;
      onBroken.accept(new EngineException(reason));
    }
  }

  /** The position before which everything is applied. */
  synchronized Checkpoint checkpoint() {
    AppliedCheckpoint.Position position = applied.position();
    return new Checkpoint(
        position.nextOffset(),
        position.nextSeqNo(),
        terms.before(position.nextSeqNo()),
        position.nextSeqNo() - 1,
        position.lastRecordMillis());
  }

  /** The user data of a commit at that checkpoint; checkpoints must not decrease. */
  Map<String, String> commitData(Checkpoint checkpoint) {
    return origins.commitData(checkpoint.visibleSeqNo());
  }

  /** The highest seq_no up to which all operations are applied. */
  OffsetWatcher appliedSeqNo() {
    return appliedSeqNo;
  }

  /** The offset up to which all accepted operations are applied. */
  OffsetWatcher appliedOffset() {
    return appliedOffset;
  }

  /** The bytes of operations submitted so far. */
  long bytes() {
    return bytes.get();
  }

  /** Append time of the oldest operation that was read and is not shown; 0 for none. */
  long oldestUnshownMillis() {
    return unshown.oldestMillis();
  }

  /** Called when a refresh begins; returns the applied operations that it will show. */
  Showing showing() {
    // INVARIANT: no operation is dropped as applied between the capture and the refresh that shows
    // it.
    synchronized (unshown) {
      Checkpoint checkpoint = checkpoint();
      return new Showing(checkpoint, unshown.showing(checkpoint.nextSeqNo()));
    }
  }

  /** The term at the position of the reader. */
  long newestTerm() {
    return newestTerm;
  }

  /** Waits for the operations in the lanes; nothing is applied after this. */
  @Override
  public void close() {
    broken = true;
    unapplied.release(MAX_UNAPPLIED);
    tail.close();
    unapplied.acquireUninterruptibly(2 * MAX_UNAPPLIED);
    unapplied.release(2 * MAX_UNAPPLIED);
    appliedSeqNo.close();
    appliedOffset.close();
  }
}
