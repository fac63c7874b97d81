package io.varve.replication.replica;

import io.varve.cluster.ClusterState;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.store.StartReadiness;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the input of {@link StartReadiness} from the manifest feed, the cluster state and the copy,
 * to decide whether a segment replica may be reported as started, and whether it answers reads.
 *
 * <p>Other copies show at most the newest manifest in the log, because a client that waited for a
 * refresh was answered after its manifest was published. They serve if a copy that writers wait for
 * is started on a member of the cluster.
 */
final class ReplicaReadiness {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaReadiness.class);

  private final CopyContext context;
  private final ManifestFeed feed;
  private final OffsetWatcher visible;
  private final StartReadiness readiness = new StartReadiness();
  private volatile boolean reportable;

  /**
   * @param visible the seq_no up to which the copy shows operations
   */
  ReplicaReadiness(CopyContext context, ManifestFeed feed, OffsetWatcher visible) {
    this.context = context;
    this.feed = feed;
    this.visible = visible;
  }

  /** Whether the copy shows, within the timeout, everything that was published before this call. */
  boolean isShown(Duration timeout) throws LogException, InterruptedException {
    long deadlineMillis = nowMillis() + timeout.toMillis();
    return feed.caughtUp(timeout)
        && visible.await(newestSeqNo(), Duration.ofMillis(deadlineMillis - nowMillis()));
  }

  /**
   * Whether a manifest newer than this one is published. A source can report that a manifest was
   * replaced before the next one has arrived here, so the log is read to its end; false if that
   * fails or takes longer than the timeout.
   */
  boolean isReplaced(Manifest manifest, Duration timeout) throws InterruptedException {
    try {
      boolean caughtUp = feed.caughtUp(timeout);
      Manifest newest = feed.newest();
      return caughtUp && newest != null && newest.isNewerThan(manifest);
    } catch (LogException e) {
      LOG.warn("{} cannot read the end of its manifests: {}", context.shard(), e.toString());
      return false;
    }
  }

  /** Whether the copy may be reported as started within the timeout. */
  boolean mayBeReported(Duration timeout) throws LogException, InterruptedException {
    long deadlineMillis = nowMillis() + timeout.toMillis();
    if (!readiness.isFixed() && feed.caughtUp(timeout)) {
      readiness.readToTheEnd(newestSeqNo());
    }
    if (readiness.isFixed()) {
      visible.await(readiness.requiredSeqNo(), Duration.ofMillis(deadlineMillis - nowMillis()));
    }
    StartReadiness.Report report = readiness.report(visible.current(), isAlone());
    if (report == StartReadiness.Report.BEHIND) {
      startBehind();
    }
    boolean now = report != StartReadiness.Report.WAIT;
    reportable |= now;
    return now;
  }

  /** Whether no other copy serves. */
  boolean isAlone() {
    ClusterState state = context.node().cluster().current();
    return state
        .shard(context.shard())
        .filter(shard -> state.othersServe(shard, context.copyId()))
        .isEmpty();
  }

  /** From now on, reads wait until the copy shows everything that other copies had shown. */
  void startBehind() {
    readiness.startBehind(newestSeqNo());
  }

  /** Whether the copy may have been reported, and shows what others showed before it started. */
  boolean answersReads() {
    return reportable && readiness.answersReads(visible.current());
  }

  private long newestSeqNo() {
    Manifest newest = feed.newest();
    return newest == null ? -1 : newest.visibleSeqNo();
  }

  private long nowMillis() {
    return context.node().clock().millis();
  }
}
