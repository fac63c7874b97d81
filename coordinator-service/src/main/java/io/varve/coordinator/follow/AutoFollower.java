package io.varve.coordinator.follow;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterState;
import io.varve.control.command.AutoFollowPlan;
import io.varve.control.command.AutoFollowPlan.Step;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the steps of {@link AutoFollowPlan}: follows new indices of other clusters and records
 * them as handled. A failed step does not prevent the others; the caller repeats it.
 */
final class AutoFollower {

  private static final Logger LOG = LoggerFactory.getLogger(AutoFollower.class);
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);

  private final ClusterAccess cluster;
  private final AutoFollowStats stats;

  AutoFollower(ClusterAccess cluster, AutoFollowStats stats) {
    this.cluster = cluster;
    this.stats = stats;
  }

  /**
   * @param remoteCluster the alias of the other cluster
   * @param leaders its state
   * @return false if a step failed that must be retried
   */
  boolean update(String remoteCluster, ClusterState leaders) throws InterruptedException {
    // Reads the newest state, because with an older one a follower might be created twice.
    ClusterState own = cluster.state();
    boolean hasPatterns =
        own.autoFollow().values().stream()
            .anyMatch(pattern -> pattern.active() && pattern.remoteCluster().equals(remoteCluster));
    if (!hasPatterns) {
      return true;
    }
    stats.checked(remoteCluster, leaders.version());
    boolean done = true;
    for (Step step : AutoFollowPlan.steps(own, remoteCluster, leaders)) {
      done &= execute(step);
    }
    return done;
  }

  private boolean execute(Step step) throws InterruptedException {
    return switch (step) {
      case Step.Follow follow -> follow(follow);
      case Step.Handled handled -> record(handled);
      case Step.Refused(String pattern, String leaderIndex, ErrorBody reason) -> {
        stats.refused(pattern, leaderIndex, reason.toMap());
        yield true;
      }
    };
  }

  private boolean follow(Step.Follow step) throws InterruptedException {
    String leaderIndex = step.leader().name();
    AutoFollowPattern pattern = cluster.state().autoFollow().get(step.pattern());
    if (pattern == null || !pattern.active()) {
      // Removed or paused while earlier steps of this plan were executed.
      return true;
    }
    try {
      cluster.change(step.command(), COMMAND_TIMEOUT);
    } catch (ApiException e) {
      LOG.warn("pattern [{}] cannot follow [{}]: {}", step.pattern(), leaderIndex, e.toString());
      stats.failed(step.pattern(), leaderIndex, e.error().toMap());
      return false;
    }
    LOG.info("pattern [{}] follows [{}]", step.pattern(), leaderIndex);
    stats.followed(step.pattern(), leaderIndex);
    return record(new Step.Handled(step.pattern(), List.of(step.leader().uuid()), List.of()));
  }

  private boolean record(Step.Handled step) throws InterruptedException {
    ClusterCommand command = step.command();
    try {
      cluster.change(command, COMMAND_TIMEOUT);
      return true;
    } catch (ApiException e) {
      LOG.warn("cannot record what pattern [{}] follows: {}", step.pattern(), e.toString());
      return false;
    }
  }

  /** The cluster log of a remote cluster could not be read. */
  void unreachable(String remoteCluster) {
    boolean hasPatterns =
        cluster.state().autoFollow().values().stream()
            .anyMatch(pattern -> pattern.active() && pattern.remoteCluster().equals(remoteCluster));
    if (hasPatterns) {
      stats.failedRequest();
    }
  }

  Map<String, Object> stats() {
    return stats.shown(cluster.state());
  }
}
