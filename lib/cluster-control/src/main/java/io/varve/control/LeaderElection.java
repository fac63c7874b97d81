package io.varve.control;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import java.util.Comparator;
import java.util.List;

/**
 * Decides whether a coordinator that does not lead should campaign. Any answer is safe, because the
 * fence decides who leads: a wrong answer causes an unnecessary change of leaders or a delay.
 *
 * <p>It campaigns at once when there has been no leader yet, or when the newest fence is from this
 * node: an earlier process wrote it, or this process stepped down. Otherwise it campaigns when no
 * heartbeat of the leader arrived for the timeout or the leader has left. Coordinators later in the
 * order of node ids wait longer, so that usually only one campaigns.
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
   * @param leaderSilentMillis the time in which this coordinator provably received heartbeats, but
   *     none in which a node announced that it leads in the state's term; it begins at the fence of
   *     that term
   */
  public boolean shouldCampaign(ClusterState state, long leaderSilentMillis) {
    if (state.leaderTerm() == 0 || state.leaderNodeId().equals(nodeId)) {
      return true;
    }
    return leaderSilentMillis >= timeoutMillis + staggerMillis * rank(state);
  }

  /** The number of other coordinators, except for the leader, that precede this one. */
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
