package io.varve.host;

import io.varve.cluster.IndexSettings;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.events.Manifest;
import io.varve.events.StoredManifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies, while a copy is opened, that its shard's operations log still holds the operations that
 * this copy's folder and the newest manifests of the shard contain. A copy that replays verifies
 * its last commit after reading it.
 *
 * <p>A manifest counts even if its files are on other nodes. If the log ends before the manifest, a
 * primary that starts on this log would reuse the seq_nos of operations that other copies have
 * shown.
 *
 * <p>INVARIANT: nothing is appended, claimed, shown or served before this has passed.
 */
public final class OpenedLog {

  private static final Logger LOG = LoggerFactory.getLogger(OpenedLog.class);

  private OpenedLog() {}

  /** The position of a checkpoint in its shard's log. */
  public static LogPosition position(Checkpoint checkpoint) {
    return new LogPosition(
        checkpoint.nextOffset(),
        checkpoint.nextSeqNo(),
        checkpoint.fenceTerm(),
        checkpoint.lastRecordMillis());
  }

  /** The position of a manifest in its shard's log. */
  public static LogPosition position(Manifest manifest) {
    return position(Checkpoint.of(manifest));
  }

  /**
   * For a primary. Its start position in the log is verified by its recovery; if it claims the
   * segment store before that, its folder is verified here.
   *
   * @throws LogException.Lost if the log no longer holds everything that was applied
   */
  public static void requireForPrimary(CopyContext context) throws LogException {
    if (IndexSettings.isRemoteBacked(context.index().settings())) {
      LogContinuity.requireNotLost(context.operations(), folder(context));
    }
    requireShown(context);
  }

  /**
   * For a copy that applies the operations itself, whose position is verified once its folder is
   * open.
   *
   * @throws LogException.Lost if the log no longer holds everything that the newest manifests show
   */
  public static void requireShown(CopyContext context) throws LogException {
    boolean stores = IndexSettings.isRemoteBacked(context.index().settings());
    PartitionLog manifests = context.manifests();
    ManifestLog.Newest newest = new ManifestLog(manifests).before(manifests.endOffset(), stores);
    StoredManifest stored = newest.stored();
    requireShown(context, newest.published());
    requireShown(context, stored == null ? null : stored.manifest());
  }

  /**
   * For a copy that receives its segments.
   *
   * @throws LogException.Lost if the log no longer holds everything that was applied
   */
  public static void requireForReplica(CopyContext context) throws LogException {
    LogContinuity.requireNotLost(context.operations(), folder(context));
  }

  /**
   * Requires that the log holds everything that {@code manifest} shows.
   *
   * @throws LogException.Lost if it does not
   */
  public static void requireShown(CopyContext context, @Nullable Manifest manifest)
      throws LogException {
    if (manifest != null) {
      LogContinuity.requireNotLost(context.operations(), position(manifest));
    }
  }

  /** Ignores a folder that can't be read: opening it reports the damage. */
  private static LogPosition folder(CopyContext context) {
    try {
      return position(ClosedSegments.checkpoint(context.folder().resolve("index")));
    } catch (UncheckedIOException e) {
      LOG.debug("{} has a folder that can't be read", context.shard(), e);
      return position(Checkpoint.NONE);
    }
  }
}
