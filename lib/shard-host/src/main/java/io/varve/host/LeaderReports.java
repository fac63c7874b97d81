package io.varve.host;

import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader is told of one shard's place, and asked for. After each call the cluster's state
 * changes or the call is made again, so each returns how many milliseconds to wait for that: twice
 * as long as before, until what is here is what was wanted. For one thread.
 */
final class LeaderReports {

  static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(LeaderReports.class);
  private static final long PATIENCE_FOR_NEW_TERM_MILLIS = 2_000;

  private final NodeContext node;
  private final ShardId shard;
  private int calls;

  LeaderReports(NodeContext node, ShardId shard) {
    this.node = node;
    this.shard = shard;
  }

  /** What is here is what was wanted. */
  void wentWell() {
    calls = 0;
  }

  long started(Goal.Copy assignment) {
    return call(() ->
        node.leader()
            .copyStarted(
                new ClusterCalls.CopyStarted(
                    shard, assignment.copyId(), node.identity().incarnation(), assignment.term()),
                CALL_TIMEOUT));
  }

  /** The leader gives one by itself to a node that was started again, if it is given the time. */
  long awaitTerm(Goal.Copy assignment) {
    return calls++ == 0
        ? PATIENCE_FOR_NEW_TERM_MILLIS
        : askForTerm(assignment, "the node was started again");
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
      LOG.info("{} the leader did not take the news: {}", shard, e.getMessage());
    }
    return Setbacks.pauseMillis(++calls);
  }
}
