package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeInfo;
import io.varve.control.ClusterLeader;
import io.varve.control.LeaderErrors;
import io.varve.control.LocalCommands;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FeatureLevelDecisions;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Routes commands to the leader. A command is executed here if this coordinator leads, and
 * otherwise sent to the leader that the cluster log names. If there is no leader or it cannot be
 * reached, the command waits for a new leader term or for the return of the same leader.
 */
final class CommandRouter {

  private final String nodeId;
  private final ClusterView view;
  private final ClusterLeader leader;
  private final LocalCommands local;
  private final CommandSender remote;
  private final LongSupplier nanos;

  /**
   * @param nanos a monotonic clock
   */
  CommandRouter(
      String nodeId,
      ClusterView view,
      ClusterLeader leader,
      LocalCommands local,
      CommandSender remote,
      LongSupplier nanos) {
    this.nodeId = nodeId;
    this.view = view;
    this.leader = leader;
    this.local = local;
    this.remote = remote;
    this.nanos = nanos;
  }

  /** Returns the leader's address; empty if this coordinator itself leads or knows no leader. */
  Optional<String> leaderUrl() {
    ClusterState state = view.current();
    return state
        .node(state.leaderNodeId())
        .filter(node -> !node.nodeId().equals(nodeId))
        .map(NodeInfo::url);
  }

  /** Executes the command here, or throws 421. */
  long executeLocally(ClusterCommand command, Duration timeout) throws InterruptedException {
    return local.carryOut(command, timeout);
  }

  /** Executes the command of a data node, if the node may send it. */
  long executeLocallyFor(String nodeId, ClusterCommand command, Duration timeout)
      throws InterruptedException {
    return local.carryOutFor(nodeId, command, timeout);
  }

  /** Same contract as {@link ClusterService#execute}. */
  long execute(ClusterCommand command, long timeoutMillis) {
    FeatureLevelDecisions.refusal(view.current(), command)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    long deadlineNanos = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (true) {
        Duration left = Duration.ofNanos(deadlineNanos - nanos.getAsLong());
        if (!left.isPositive()) {
          throw LeaderErrors.noLeader(timeoutMillis);
        }
        OptionalLong version = tryOnce(command, left);
        if (version.isPresent()) {
          awaitSeen(version.getAsLong(), deadlineNanos);
          return version.getAsLong();
        }
        awaitOtherLeader(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw LeaderErrors.unknownOutcome("interrupted");
    }
  }

  /** Empty if the command was certainly not executed. */
  private OptionalLong tryOnce(ClusterCommand command, Duration left) throws InterruptedException {
    Optional<String> leaderUrl = leaderUrl();
    if (!leader.isLeading() && leaderUrl.isPresent()) {
      return remote.carryOut(leaderUrl.get(), command, left);
    }
    try {
      return OptionalLong.of(local.carryOut(command, left));
    } catch (ApiException e) {
      if (e.error().status() == LeaderErrors.MISDIRECTED) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  private void awaitSeen(long version, long deadlineNanos) throws InterruptedException {
    Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - nanos.getAsLong()));
    if (!view.awaitVersion(version, left)) {
      throw LeaderErrors.unknownOutcome("accepted, but not seen here in time");
    }
  }

  /**
   * Waits until the log names another leader, but at most for a pause in which the same leader may
   * return.
   */
  private void awaitOtherLeader(Duration left) throws InterruptedException {
    long term = view.current().leaderTerm();
    Duration pause = Duration.ofMillis(100);
    Optional<ClusterState> _ =
        view.await(state -> state.leaderTerm() > term, left.compareTo(pause) < 0 ? left : pause);
  }
}
