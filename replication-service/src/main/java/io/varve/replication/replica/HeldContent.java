package io.varve.replication.replica;

import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.LeftCommit;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.OpenedLog;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.store.RoundFailures.Held;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content from which a segment replica without a source can continue: its manifest, or the last
 * commit of a primary that had its folder, if the log still has all later records. A promotion
 * replays these records.
 */
final class HeldContent {

  private static final Logger LOG = LoggerFactory.getLogger(HeldContent.class);

  private final CopyContext context;
  private final ReplicaFolder folder;

  HeldContent(ReplicaFolder folder) {
    this.context = folder.context();
    this.folder = folder;
  }

  /** Reads the start of the log; nothing is held if that can't be read. */
  Held held() {
    Manifest kept = folder.engine().installed();
    try {
      Checkpoint reached =
          kept == null ? ClosedSegments.checkpoint(directory()) : Checkpoint.of(kept);
      if (kept == null && reached.fenceTerm() == 0) {
        return Held.NOTHING;
      }
      if (LogBeginning.of(context.operations()).isBehind(OpenedLog.position(reached))) {
        return Held.NOTHING;
      }
      return kept == null ? Held.COMMIT : Held.MANIFEST;
    } catch (LogException | UncheckedIOException e) {
      LOG.warn("{} can't compare what it holds with its log", context.shard(), e);
      return Held.NOTHING;
    }
  }

  /**
   * Converts the commit to the manifest with which the folder is opened next; returns whether this
   * succeeded.
   */
  boolean keepCommit() {
    try {
      return LeftCommit.keep(
          directory(),
          context.shard(),
          context.node().identity().nodeId(),
          context.node().clock().millis());
    } catch (IOException e) {
      LOG.warn("{} can't continue from the commit in its folder", context.shard(), e);
      return false;
    }
  }

  private Path directory() {
    return folder.files().directory();
  }
}
