package io.varve.host;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.log.UnreadableRecordException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy that must not be opened because its log lost operations that the copy has applied, or
 * contains a record that can't be read.
 *
 * <pre>
 *   primary                     keeps its place and is INITIALIZING, and the shard is red:
 *                               another copy would hide that acked writes are missing
 *   replica that holds more     also keeps its place, because its folder may have the only copy of
 *   than the log                these writes, until the shard continues on that log without it
 *                               ({@link ContinuedLog}); then it is reported as failed
 *   the same, still started     is reported as failed first, so that no other copy waits for it;
 *   in the cluster state        the leader reopens it at its place
 *   search-only copy, target    is reported as failed: the leader assigns the place again, with
 *   of a move, replica that     exponential back-off
 *   can't read a record
 * </pre>
 *
 * A copy that keeps its place is retried every 10 s, a primary without a new term, and starts once
 * the log is restored. The reason is logged once, and is published as the copy's progress while the
 * log is refused.
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
  private @Nullable ContinuedLog continued;

  RefusedLog(NodeContext node, ShardId shard, ProgressPublisher progress) {
    this.node = node;
    this.shard = shard;
    this.progress = progress;
  }

  /**
   * The reason for which a log is refused.
   *
   * @param lost whether the log lost operations that the copy holds
   */
  record Refusal(String reason, boolean lost) {}

  /** The refusal; {@code null} if {@code failure} has another cause. */
  static @Nullable Refusal of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean lost = cause instanceof LogException.Lost;
      if (lost || cause instanceof UnreadableRecordException) {
        return new Refusal(String.valueOf(cause.getMessage()), lost);
      }
    }
    return null;
  }

  /** Publishes the reason for which no copy of that assignment is opened, until {@link #end}. */
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
    continued = null;
  }

  /** Whether a copy that refuses its log keeps its place. */
  boolean keepsItsPlace(Goal.Copy assignment, Refusal refusal) {
    Optional<ShardRouting> routing = node.cluster().current().shard(shard);
    if (routing.flatMap(r -> r.relocationTo(assignment.copyId())).isPresent()) {
      return false;
    }
    if (assignment.primary()) {
      return true;
    }
    boolean searchOnly =
        routing
            .flatMap(r -> r.copy(assignment.copyId()))
            .filter(CopyRouting::searchOnly)
            .isPresent();
    return refusal.lost() && !assignment.reported() && !searchOnly && !isContinued();
  }

  private boolean isContinued() {
    ContinuedLog log = continued;
    if (log == null) {
      String index = shard.indexUuid();
      log =
          new ContinuedLog(
              node.log().open(node.topics().operations(index), shard.number()),
              node.log().open(node.topics().manifests(index), shard.number()));
      continued = log;
    }
    try {
      return log.isContinued();
    } catch (LogException e) {
      LOG.debug("{} can't read whether its log is continued", shard, e);
      return false;
    }
  }
}
