package io.varve.host;

import io.varve.events.Manifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a shard continues on a log that one of its copies refuses because the log lost
 * operations that the copy holds.
 *
 * <pre>
 *   no manifest was published since the first refusal   the copy may hold the only operations
 *   one was, and the log lacks what it shows            its primary also holds lost operations
 *   one was, and the log holds what it shows            a primary continues on this log
 * </pre>
 *
 * The cluster state can't decide this: it names a primary as started until the leader notices its
 * end. For one thread.
 */
public final class ContinuedLog {

  private final PartitionLog operations;
  private final PartitionLog manifests;
  private boolean refused;
  private @Nullable Manifest before;

  public ContinuedLog(PartitionLog operations, PartitionLog manifests) {
    this.operations = operations;
    this.manifests = manifests;
  }

  /** Called at each refusal of the log. */
  public boolean isContinued() throws LogException {
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    if (!refused) {
      refused = true;
      before = newest;
      return false;
    }
    boolean isLater = newest != null && (before == null || newest.isNewerThan(before));
    return isLater
        && !(LogContinuity.check(operations, OpenedLog.position(newest))
            instanceof LogContinuity.Outcome.Lost);
  }
}
