package io.varve.host;

import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.log.UnreadableRecordException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy that must not be opened because its log lost operations that the copy has applied, or
 * contains a record that can't be read.
 *
 * <pre>
 *   primary                        keeps its place and is INITIALIZING, so that the shard is red:
 *                                  another copy would hide that acked writes are missing. It is
 *                                  retried here, without a new term, every 10 s, and starts once
 *                                  the log is restored.
 *   replica, target of a move      is reported as failed: the leader assigns the place again, with
 *                                  exponential back-off
 * </pre>
 *
 * The reason is logged once, and is published as the copy's progress while the log is refused.
 */
final class RefusedLog {

  /** The interval at which a refused log is checked again. */
  static final long RETRY_MILLIS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(RefusedLog.class);

  private final NodeContext node;
  private final ShardId shard;
  private final ProgressPublisher progress;
  private Goal.@Nullable Copy refusedFor;
  private String logged = "";

  RefusedLog(NodeContext node, ShardId shard, ProgressPublisher progress) {
    this.node = node;
    this.shard = shard;
    this.progress = progress;
  }

  /** Why the log is refused; {@code null} if {@code failure} has another cause. */
  static @Nullable String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LogException.Lost || cause instanceof UnreadableRecordException) {
        return cause.getMessage();
      }
    }
    return null;
  }

  /** Publishes why no copy is opened under that assignment, until {@link #end}. */
  void begin(Goal.Copy assignment, String reason) {
    if (!reason.equals(logged)) {
      LOG.error("{} neither serves nor writes as {}: {}", shard, assignment.copyId(), reason);
      logged = reason;
    }
    refusedFor = assignment;
    progress.add(assignment.copyId(), () -> refused(assignment, reason));
    progress.changed(assignment.copyId());
  }

  private CopyProgress refused(Goal.Copy assignment, String reason) {
    return new CopyProgress(
        assignment.copyId(),
        shard,
        node.identity().nodeId(),
        assignment.primary(),
        CopyProgress.FAILED,
        assignment.term(),
        -1,
        0,
        -1,
        -1,
        0,
        0,
        0,
        -1,
        0,
        0,
        node.clock().millis(),
        reason);
  }

  /** Stops publishing the reason. */
  void end() {
    Goal.Copy before = refusedFor;
    if (before != null) {
      progress.remove(before.copyId());
      refusedFor = null;
    }
  }

  /** The copy is open. */
  void opened() {
    logged = "";
  }

  /** Whether a copy whose log is refused keeps its place. */
  boolean keepsItsPlace(Goal.Copy assignment) {
    return assignment.primary()
        && node.cluster()
            .current()
            .shard(shard)
            .flatMap(routing -> routing.relocationTo(assignment.copyId()))
            .isEmpty();
  }
}
