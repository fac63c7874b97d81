package io.varve.control;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import java.util.Comparator;
import java.util.List;

/**
 * Whether a coordinator that doesn't lead should try to. Any answer is safe, as the fence decides:
 * a wrong one costs a change of leaders, or time.
 *
 * <p>At once when there has been no leader yet, or the log names this node: then that was an
 * earlier process or a term given up. Otherwise when the leader was silent for the timeout, or has
 * left; coordinators that come later in the order of node ids wait a little longer, so that mostly
 * one tries.
 */
public final class LeaderElection {

  private final String nodeId;
  private final long timeoutMillis;
  private final long staggerMillis;

  public LeaderElection(String nodeId, long timeoutMillis, long staggerMillis) {
    if (timeoutMillis < 1 || staggerMillis < 0) {
      throw new IllegalArgumentException(
          "election needs timeout >= 1 and stagger >= 0, was "
              + timeoutMillis
              + ", "
              + staggerMillis);
    }
    this.nodeId = nodeId;
    this.timeoutMillis = timeoutMillis;
    this.staggerMillis = staggerMillis;
  }

  /**
   * {@code leaderSilentMillis}: since somebody said last that it leads in the state's term, or
   * since its fence if that is newer.
   */
  public boolean shouldCampaign(ClusterState state, long leaderSilentMillis) {
    if (state.leaderTerm() == 0 || state.leaderNodeId().equals(nodeId)) {
      return true;
    }
    return leaderSilentMillis >= timeoutMillis + staggerMillis * rank(state);
  }

  /** How many other coordinators, the leader aside, come first. */
  private long rank(ClusterState state) {
    List<String> candidates =
        state.nodes().values().stream()
            .filter(n -> n.has(NodeInfo.COORDINATOR))
            .map(NodeInfo::nodeId)
            .filter(id -> !id.equals(state.leaderNodeId()))
            .sorted(Comparator.naturalOrder())
            .toList();
    int place = candidates.indexOf(nodeId);
    return place < 0 ? candidates.size() : place;
  }
}
