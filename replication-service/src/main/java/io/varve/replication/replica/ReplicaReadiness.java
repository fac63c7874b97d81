package io.varve.replication.replica;

import io.varve.cluster.ClusterState;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a segment replica may start and be reported, given what other copies have shown.
 *
 * <pre>
 *   others show     at most the newest manifest in the log: a client that waited for a refresh was
 *                   answered after its manifest was published
 *   others serve    a copy that writers wait for is started, on a member of the cluster
 *
 *   is started      when it shows the newest manifest; while others serve, never before
 *   starts behind   when no other copy serves and the newest manifest's files are lost: it may be
 *                   promoted, which replays what it lacks
 *   answers reads   unless it started behind and does not show yet what was shown before
 * </pre>
 *
 * INVARIANT: the seq_no that a copy has to show before it is reported as started is fixed once, so
 * that new manifests during the catch-up do not delay the report.
 */
final class ReplicaReadiness {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaReadiness.class);

  private final CopyContext context;
  private final ManifestFeed feed;
  private final OffsetWatcher visible;
  private volatile long requiredSeqNo = Long.MIN_VALUE;
  private volatile long shownBeforeSeqNo = Long.MIN_VALUE;

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
    if (requiredSeqNo == Long.MIN_VALUE && feed.caughtUp(timeout)) {
      requiredSeqNo = newestSeqNo();
    }
    Duration left = Duration.ofMillis(deadlineMillis - nowMillis());
    return (requiredSeqNo != Long.MIN_VALUE && visible.await(requiredSeqNo, left))
        || startsBehind();
  }

  /** Whether no other copy serves; if so, reads wait until the copy shows what others had shown. */
  private boolean startsBehind() {
    boolean alone = isAlone();
    if (alone) {
      startBehind();
    }
    return alone;
  }

  /** Whether no other copy serves. */
  boolean isAlone() {
    ClusterState state = context.node().cluster().current();
    return state
        .shard(context.shard())
        .filter(shard -> state.othersServe(shard, context.copyId()))
        .isEmpty();
  }

  /** From now on, reads wait until the copy shows what others had shown. */
  void startBehind() {
    shownBeforeSeqNo = newestSeqNo();
  }

  /** Whether the copy shows what others showed before it started. */
  boolean isCaughtUp() {
    return visible.current() >= shownBeforeSeqNo;
  }

  private long newestSeqNo() {
    Manifest newest = feed.newest();
    return newest == null ? -1 : newest.visibleSeqNo();
  }

  private long nowMillis() {
    return context.node().clock().millis();
  }
}
