package io.varve.replication.replica;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.Checkpoint;
import io.varve.engine.EngineException;
import io.varve.engine.ShardEngine;
import io.varve.engine.Snapshot;
import io.varve.host.CopyContext;
import io.varve.host.NodeSettings;
import io.varve.host.RefreshInterval;
import io.varve.host.RefreshTurns;
import io.varve.log.OffsetWatcher;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Refreshes and commits a copy that applies operations, on one thread.
 *
 * <pre>
 *   refresh   when more is applied than visible, and either the interval is over and this copy
 *             has a turn of its node, or a request waits for an applied operation
 *   commit    when something is applied that isn't committed, and either its bytes
 *             or its age pass the node's limit
 *   fail      when the writer has ended, within a second
 * </pre>
 *
 * <p>The checkpoint is captured before either: too low is safe, too high would lose data.
 */
final class DocumentUpkeep {

  private static final long IDLE_MILLIS = 1_000;

  private final CopyContext context;
  private final ShardEngine engine;
  private final DocumentApplier applier;
  private final OffsetWatcher visible;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long wantedSeqNo = -1;
  private @Nullable CompletableFuture<Void> asked;
  private boolean stopped;

  /** Used by the thread of this copy only. */
  private RefreshTurns.@Nullable Turn turn;

  private final LongAdder periodicCommits = new LongAdder();
  private volatile long lastRefreshMillis;
  private volatile long lastLagMillis = -1;
  private volatile long committedSeqNo;
  private long lastCommitMillis;
  private long committedBytes;

  DocumentUpkeep(
      CopyContext context, ShardEngine engine, DocumentApplier applier, OffsetWatcher visible) {
    this.context = context;
    this.engine = engine;
    this.applier = applier;
    this.visible = visible;
    this.committedSeqNo = engine.committed().nextSeqNo() - 1;
    this.lastCommitMillis = context.node().clock().millis();
  }

  /** Shows {@code seqNo} as soon as it is applied, unless {@code wait} is done by then. */
  void want(long seqNo, CompletableFuture<Boolean> wait) {
    CompletableFuture<Boolean> applied = applier.appliedSeqNo().reached(seqNo);
    var _ =
        applied.thenAccept(reached -> {
          if (reached) {
            showUpTo(seqNo);
          }
        });
    var _ = wait.whenComplete((_, _) -> applier.appliedSeqNo().forget(applied));
  }

  /** Called only for applied operations: a wait for a later one must not delay other waits. */
  private void showUpTo(long seqNo) {
    lock.lock();
    try {
      wantedSeqNo = Math.max(wantedSeqNo, seqNo);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Refreshes and commits now. */
  CompletableFuture<Void> settle() {
    lock.lock();
    try {
      if (stopped) {
        return CompletableFuture.failedFuture(new EngineException("the copy is closed"));
      }
      CompletableFuture<Void> settled = asked == null ? new CompletableFuture<>() : asked;
      asked = settled;
      changed.signalAll();
      return settled;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable CompletableFuture<Void> taken() {
    lock.lock();
    try {
      CompletableFuture<Void> taken = asked;
      asked = null;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when {@link #stop} was called.
   *
   * @throws EngineException if the Lucene writer has ended, possibly in the background
   */
  void run() throws InterruptedException {
    try {
      work();
    } finally {
      endTurn();
    }
  }

  private void work() throws InterruptedException {
    while (awaitWork()) {
      requireWriter();
      CompletableFuture<Void> settled = taken();
      if (settled != null) {
        settle(settled);
      }
      refreshIfDue();
      if (commitIsDue()) {
        commit();
        periodicCommits.increment();
      }
      context.host().progressed();
    }
  }

  private void refreshIfDue() {
    if (isWaitedFor() || (hasTurn() && intervalIsOver())) {
      refresh();
      endTurn();
    } else if (hasTurn()) {
      endTurn();
    } else if (turn == null && intervalIsOver()) {
      turn = context.node().applying().refreshes().ask(lastRefreshMillis + interval(), _ -> wake());
    }
  }

  private boolean hasTurn() {
    return turn != null && turn.isRunning();
  }

  private void endTurn() {
    if (turn != null) {
      turn.end();
      turn = null;
    }
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void requireWriter() {
    engine
        .ended()
        .ifPresent(cause -> {
          throw new EngineException("the writer has ended", cause);
        });
  }

  private void settle(CompletableFuture<Void> settled) {
    try {
      refresh();
      commit();
      settled.complete(null);
    } catch (RuntimeException | Error e) {
      settled.completeExceptionally(e);
      throw e;
    }
  }

  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
      if (asked != null) {
        asked.completeExceptionally(new EngineException("the copy is closed"));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until work is due; false after {@link #stop}. */
  private boolean awaitWork() throws InterruptedException {
    lock.lock();
    try {
      while (!stopped && asked == null && !isDue()) {
        long interval = interval();
        changed.await(
            interval < 0 ? IDLE_MILLIS : Math.clamp(untilInterval(interval), 1, IDLE_MILLIS),
            TimeUnit.MILLISECONDS);
      }
      return !stopped;
    } finally {
      lock.unlock();
    }
  }

  /** Also detects a writer that has ended while there is nothing to refresh or commit. */
  private boolean isDue() {
    return isWaitedFor()
        || (turn == null ? intervalIsOver() : turn.isRunning())
        || commitIsDue()
        || engine.ended().isPresent();
  }

  private long untilInterval(long interval) {
    long left = lastRefreshMillis + interval - context.node().clock().millis();
    // The interval is over with nothing to show: check again after another one.
    return left > 0 ? left : interval;
  }

  private boolean isWaitedFor() {
    long wanted = wantedSeqNo();
    return wanted > visible.current() && wanted <= applier.appliedSeqNo().current();
  }

  /** Whether a periodic refresh would make operations visible. */
  private boolean intervalIsOver() {
    long interval = interval();
    return interval >= 0
        && applier.appliedSeqNo().current() > visible.current()
        && context.node().clock().millis() - lastRefreshMillis >= interval;
  }

  private long wantedSeqNo() {
    lock.lock();
    try {
      return wantedSeqNo;
    } finally {
      lock.unlock();
    }
  }

  private long interval() {
    return RefreshInterval.millis(
        context
            .node()
            .cluster()
            .current()
            .index(context.shard().indexUuid())
            .map(IndexMetadata::settings)
            .orElse(Map.of()));
  }

  /** Shows all applied operations. */
  void refresh() {
    boolean first = lastRefreshMillis == 0;
    DocumentApplier.Showing showing = applier.showing();
    Checkpoint checkpoint = showing.checkpoint();
    long oldestMillis = showing.oldestMillis();
    lastRefreshMillis = context.node().clock().millis();
    engine.settings(context.settings());
    Snapshot snapshot = engine.refresh(checkpoint);
    if (snapshot != null) {
      snapshot.close();
    }
    // The first refresh shows operations from before the start, which are not a lag.
    if (oldestMillis > 0 && !first) {
      lastLagMillis = Math.max(0, context.node().clock().millis() - oldestMillis);
      context.host().shown(lastLagMillis);
    }
    visible.advanceTo(checkpoint.visibleSeqNo());
  }

  private boolean commitIsDue() {
    NodeSettings settings = context.node().settings();
    return uncommittedOperations() > 0
        && (applier.bytes() - committedBytes >= settings.commitBytes()
            || context.node().clock().millis() - lastCommitMillis >= settings.commitMillis());
  }

  /** Commits all applied operations. */
  void commit() {
    long bytes = applier.bytes();
    Checkpoint checkpoint = applier.checkpoint();
    engine.commit(checkpoint, applier.commitData(checkpoint));
    committedBytes = bytes;
    committedSeqNo = checkpoint.visibleSeqNo();
    lastCommitMillis = context.node().clock().millis();
  }

  /** Commits replayed operations, if the last commit does not cover them. */
  void commitReplayed() {
    if (applier.checkpoint().nextOffset() > engine.committed().nextOffset()) {
      commit();
    }
  }

  /** The number of commits that were not requested. */
  long commits() {
    return periodicCommits.sum();
  }

  long uncommittedOperations() {
    return Math.max(0, applier.appliedSeqNo().current() - committedSeqNo);
  }

  /** The time from the append of the oldest operation in the last refresh to that refresh. */
  long lastLagMillis() {
    return lastLagMillis;
  }
}
