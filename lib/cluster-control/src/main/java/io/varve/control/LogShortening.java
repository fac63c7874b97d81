package io.varve.control;

import io.varve.cluster.ClusterView;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates the cluster log: deletes the records that its snapshots replace ({@link
 * ClusterView#removableBefore}). A failed deletion is not retried: the next deletion, after another
 * snapshot or by another leader, includes the same records. Used by the leader's thread only.
 */
final class LogShortening {

  private static final Logger LOG = LoggerFactory.getLogger(LogShortening.class);

  private final PartitionLog log;
  private final ClusterView view;
  private final Executor blocking;
  private long removedBefore;

  LogShortening(PartitionLog log, ClusterView view, Executor blocking) {
    this.log = log;
    this.view = view;
    this.blocking = blocking;
  }

  void removeWhatIsSuperfluous() {
    long offset = view.removableBefore();
    if (offset > removedBefore) {
      removedBefore = offset;
      blocking.execute(() -> remove(offset));
    }
  }

  private void remove(long offset) {
    try {
      log.truncateBefore(offset);
      LOG.info("truncated the cluster log to the snapshot at offset {}", offset);
    } catch (LogException | RuntimeException e) {
      LOG.warn("the cluster log could not be truncated to offset {}", offset, e);
    }
  }
}
