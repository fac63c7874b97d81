package io.varve.host;

import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ForkPlace;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports and requests of one shard's place to the leader. A call that succeeds changes the
 * cluster state; otherwise it is repeated. Each call returns the time in milliseconds to wait for
 * that change, with exponential back-off until the copy is started as assigned. For one thread.
 */
final class LeaderReports {

  static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(LeaderReports.class);
  private static final long NEW_TERM_WAIT_MILLIS = 2_000;

  private final NodeContext node;
  private final ShardId shard;
  private int calls;

  LeaderReports(NodeContext node, ShardId shard) {
    this.node = node;
    this.shard = shard;
  }

  /** The copy is open as assigned: resets the back-off. */
  void wentWell() {
    calls = 0;
  }

  /**
   * @param admittedIn the term of the primary that admitted the copy; null if it needs none
   * @param provenFrom the version that {@link StartProof} returned
   */
  long started(
      Goal.Copy assignment, Optional<ForkPlace> fork, @Nullable Long admittedIn, long provenFrom) {
    boolean namesVersion = node.cluster().current().has(Feature.MEMBER_SINCE);
    return call(() ->
        node.leader()
            .copyStarted(
                new ClusterCalls.CopyStarted(
                    shard,
                    assignment.copyId(),
                    node.identity().incarnation(),
                    assignment.term(),
                    fork.orElse(null),
                    admittedIn,
                    namesVersion ? provenFrom : null),
                CALL_TIMEOUT));
  }

  /**
   * The leader assigns a new term to the primaries of a restarted node on its own; requests one
   * only if it does not.
   */
  long awaitTerm(Goal.Copy assignment) {
    return calls++ == 0 ? NEW_TERM_WAIT_MILLIS : askForTerm(assignment, "the node was restarted");
  }

  long askForTerm(Goal.Copy assignment, String reason) {
    return call(() ->
        node.leader()
            .newTerm(
                new ClusterCalls.NewTerm(
                    shard,
                    assignment.copyId(),
                    node.identity().nodeId(),
                    assignment.term(),
                    reason),
                CALL_TIMEOUT));
  }

  long failedForGood(Goal.Copy assignment, String reason) {
    return call(() ->
        node.leader()
            .copyFailed(
                new ClusterCalls.CopyFailed(
                    shard, assignment.copyId(), node.identity().incarnation(), reason),
                CALL_TIMEOUT));
  }

  private long call(Runnable call) {
    try {
      call.run();
    } catch (ApiException e) {
      LOG.info("{} the leader did not accept the report: {}", shard, e.getMessage());
    }
    return Setbacks.pauseMillis(++calls);
  }
}
