package io.varve.shard.primary;

import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.log.FencedWriter;
import io.varve.log.OffsetWatcher;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order in which a primary closes:
 *
 * <pre>
 *   writer     appends in flight complete, or have an unknown outcome after a timeout
 *   parts      no refresh or commit begins
 *   commit     applied operations are committed if the copy serves, so that a restart replays less
 *   release    ends waits of readers, lanes, uploads and snapshots; always closes the engine
 * </pre>
 */
record PrimaryClosing(
    CopyContext context,
    PrimaryRecovery recovery,
    AppliedOperations applied,
    PublishedSnapshots snapshots,
    PrimaryStore store,
    OffsetWatcher visible) {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryClosing.class);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(4);

  /**
   * @param commits whether to commit the applied operations
   */
  void endWork(Optional<PrimaryParts> parts, boolean commits) {
    FencedWriter writer = recovery.writer();
    if (writer != null) {
      writer.close("the copy is closing", context.node().settings().limits().closing().appends());
    }
    parts.ifPresent(now -> {
      now.upkeep().close();
      now.writing().close();
      if (commits) {
        commitApplied(now);
      }
    });
  }

  private void commitApplied(PrimaryParts parts) {
    try {
      if (!applied.seqNo().await(parts.sequencer().accepted().current(), COMMIT_TIMEOUT)) {
        LOG.warn("{} closes before every accepted operation is applied", context.shard());
      }
      parts.committer().commit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("{} could not commit while closing; a restart replays more", context.shard(), e);
    }
  }

  /** Always closes the engine, because the next copy needs the lock of the folder. */
  void release() {
    try {
      visible.close();
      applied.close();
      store.close();
      snapshots.close();
    } finally {
      ShardEngine engine = recovery.engine();
      if (engine != null) {
        engine.close();
      }
    }
  }
}
