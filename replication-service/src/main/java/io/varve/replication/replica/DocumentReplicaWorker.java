package io.varve.replication.replica;

import io.varve.engine.EngineException;
import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.FailureReasons;
import io.varve.host.OpenedLog;
import io.varve.host.ShardCopy.State;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.UnreadableRecordException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a document replica, and the consequences of its failures:
 *
 * <pre>
 *   apply             on the log's thread and the node's lanes    {@link DocumentApplier}
 *   refresh, commit   on a thread of its own                      {@link DocumentUpkeep}
 *
 *   a record can't be read, the copy is started   the copy stalls
 *   any other failure of either                   the copy fails; a start that still waits throws
 * </pre>
 */
final class DocumentReplicaWorker {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentReplicaWorker.class);

  private final CopyContext context;
  private final DocumentReplicaLife life;
  private final OffsetWatcher visible;
  private final CompletableFuture<@Nullable Void> caughtUp = new CompletableFuture<>();
  private volatile boolean logLost;

  /**
   * @param visible is advanced by refreshes
   */
  DocumentReplicaWorker(CopyContext context, DocumentReplicaLife life, OffsetWatcher visible) {
    this.context = context;
    this.life = life;
    this.visible = visible;
  }

  /** Begins to apply the operations after the engine's commit. */
  DocumentReplicaParts parts(ShardEngine engine, PartitionLog log) {
    DocumentApplier applier = new DocumentApplier(context, log, engine, this::cantApply);
    DocumentUpkeep upkeep = new DocumentUpkeep(context, engine, applier, visible);
    Thread thread =
        Thread.ofVirtual()
            .name("document-replica-" + context.shard())
            .unstarted(() -> keepUp(upkeep));
    LogEnd logEnd =
        new LogEnd(
            log,
            () -> OpenedLog.position(applier.checkpoint()),
            applier.appliedOffset(),
            context.node().blocking(),
            this::logLost);
    return new DocumentReplicaParts(engine, applier, upkeep, thread, logEnd);
  }

  /**
   * Returns once everything before that offset is applied; throws the reason if the copy fails
   * first.
   */
  void awaitApplied(DocumentReplicaParts parts, long offset) throws Exception {
    var _ =
        parts
            .applier()
            .appliedOffset()
            .reached(offset)
            .thenAccept(reached -> {
              if (reached) {
                caughtUp.complete(null);
              }
            });
    try {
      caughtUp.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private void keepUp(DocumentUpkeep upkeep) {
    try {
      upkeep.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // An I/O error of a mapped file is an InternalError, which is reported only here.
      LOG.error("{} can't be refreshed or committed", context.shard(), e);
      fail(new EngineException(FailureReasons.of(e), e));
    }
  }

  private void cantApply(RuntimeException failure) {
    String reason = String.valueOf(failure.getMessage());
    if (failure instanceof UnreadableRecordException && life.stalled(reason)) {
      LOG.error("{} applies no more records: {}", context.shard(), reason);
      context.host().progressed();
    } else {
      if (failure.getCause() instanceof LogException.OutOfRange) {
        logLost = true;
      }
      fail(failure);
    }
  }

  /**
   * Whether the log may have lost operations that this copy has applied, so that no restart can
   * replay them: a log that lost its tail has no record at the position of this copy, and neither
   * has a log that was truncated past it.
   */
  boolean logLost() {
    return logLost;
  }

  private void logLost(LogException.Lost reason) {
    logLost = true;
    fail(new EngineException(String.valueOf(reason.getMessage()), reason));
  }

  private void fail(RuntimeException failure) {
    life.failed()
        .ifPresent(before -> {
          String reason = String.valueOf(failure.getMessage());
          LOG.warn("{} can't continue: {}", context.shard(), reason);
          caughtUp.completeExceptionally(failure);
          if (before.state() == State.STARTED) {
            context.host().broken(reason);
          }
        });
  }

  /** Ends a start that is still waiting. */
  void closed() {
    caughtUp.completeExceptionally(new IllegalStateException("the copy is closed"));
  }

  /** Commits, so that a restart need not replay applied operations. */
  void commitLast(DocumentReplicaParts parts) {
    try {
      parts.upkeep().commit();
    } catch (RuntimeException e) {
      LOG.warn("{} could not commit while closing; a restart replays more", context.shard(), e);
    }
  }
}
