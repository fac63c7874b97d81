package io.varve.host;

import io.varve.events.ShardId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how to react when a copy could not be opened, has failed, or its gate has closed.
 *
 * <pre>
 *   the gate is closed        pause, then ask the leader for a new term
 *   a primary failed          the same, with longer pauses
 *   a replica failed          pause, then open it again
 *   failed several times      report it: the leader assigns the place again
 *   the log is refused        report it, or keep the place and retry: {@link RefusedLog}
 * </pre>
 *
 * Each method returns the time in milliseconds to wait for a change of the goal. For one thread.
 */
final class PlaceFailures {

  private static final Logger LOG = LoggerFactory.getLogger(PlaceFailures.class);

  private final ShardId shard;
  private final PlaceGoal goal;
  private final LeaderReports leader;
  private final Setbacks setbacks;
  private final RefusedLog refusedLog;
  private final PlaceDamage damage;

  PlaceFailures(
      ShardId shard,
      PlaceGoal goal,
      LeaderReports leader,
      Setbacks setbacks,
      RefusedLog refusedLog,
      PlaceDamage damage) {
    this.shard = shard;
    this.goal = goal;
    this.leader = leader;
    this.setbacks = setbacks;
    this.refusedLog = refusedLog;
    this.damage = damage;
  }

  long gateClosed(Goal.Copy assignment) {
    return askForTermAfter(setbacks.gateClosed(), assignment, "the gate is closed");
  }

  long failed(Goal.Copy assignment, String reason) {
    long pause = setbacks.failed();
    if (setbacks.worthAReport()) {
      setbacks.reported();
      return leader.failedForGood(assignment, reason);
    }
    return assignment.primary() ? askForTermAfter(pause, assignment, reason) : pause;
  }

  long refused(Goal.Copy assignment, RefusedLog.Refusal refusal) {
    refusedLog.begin(assignment, refusal.reason());
    return refusedLog.keepsItsPlace(assignment, refusal)
        ? RefusedLog.RETRY_MILLIS
        : leader.failedForGood(assignment, refusal.reason());
  }

  /** Pauses first, because the new term changes the goal and thereby ends any later wait. */
  private long askForTermAfter(long pause, Goal.Copy assignment, String reason) {
    awaitOtherGoal(assignment, pause);
    return goal.isObsolete(assignment) || damage.reason(assignment) != null
        ? 0
        : leader.askForTerm(assignment, reason);
  }

  private void awaitOtherGoal(Goal.Copy assignment, long millis) {
    try {
      goal.awaitOther(assignment, millis);
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted while pausing: the goal has changed", shard);
    }
  }
}
