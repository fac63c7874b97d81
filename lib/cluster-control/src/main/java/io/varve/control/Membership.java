package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.NodeHeartbeat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The members of the cluster: a pure function from the state and the heartbeats that the leader
 * received to events.
 *
 * <ul>
 *   <li>A node that beats and isn't a member, or whose process, address or roles are new, joins.
 *   <li>A new process of a member has lost what was in memory: its primaries get a new term right
 *       after it joined, its pulls a new assignment. No term is ever written by two processes: a
 *       process opens none that was given before it joined. The same for a node that comes back
 *       before its copies were given away: whether it is the same process isn't known any more.
 *   <li>A member that was silent for the timeout leaves.
 *   <li>A node that does not support the cluster's feature level does not join; if it is a member,
 *       because its former process supported the level, it leaves.
 * </ul>
 */
public final class Membership {

  /** The newest heartbeat of a node, and when it arrived by the leader's own clock. */
  public record Sign(NodeHeartbeat heartbeat, long arrivedMillis) {}

  private final long timeoutMillis;

  public Membership(long timeoutMillis) {
    if (timeoutMillis < 1) {
      throw new IllegalArgumentException("timeout must be >= 1 ms, was " + timeoutMillis);
    }
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Returns the changes in the order of node ids.
   *
   * @param listeningSinceMillis since when heartbeats are heard without a break: no member counts
   *     as silent for longer
   */
  public List<ClusterEvent> changes(
      ClusterState state, Map<String, Sign> signs, long listeningSinceMillis, long nowMillis) {
    List<ClusterEvent> events = new ArrayList<>();
    for (Sign sign : new TreeMap<>(signs).values()) {
      if (nowMillis - sign.arrivedMillis() < timeoutMillis) {
        NodeHeartbeat beat = sign.heartbeat();
        refusal(state, beat)
            .ifPresentOrElse(
                reason -> refuse(state, beat, reason, events), () -> beats(state, beat, events));
      }
    }
    for (NodeInfo member : state.nodes().values()) {
      Sign sign = signs.get(member.nodeId());
      long heardMillis =
          sign == null
              ? listeningSinceMillis
              : Math.max(listeningSinceMillis, sign.arrivedMillis());
      if (nowMillis - heardMillis >= timeoutMillis) {
        events.add(
            new ClusterEvent.NodeLeft(
                member.nodeId(), "silent for " + (nowMillis - heardMillis) + " ms"));
      }
    }
    return events;
  }

  /** A node that is not admitted, and why. */
  public record Refused(NodeInfo node, String reason) {}

  /** Those that beat and are refused. */
  public List<Refused> refused(ClusterState state, Map<String, Sign> signs, long nowMillis) {
    return refused(
        state,
        signs.values().stream()
            .filter(sign -> nowMillis - sign.arrivedMillis() < timeoutMillis)
            .map(Sign::heartbeat)
            .toList());
  }

  /** Those of the senders that are refused, in the order of their ids. */
  public static List<Refused> refused(ClusterState state, Collection<NodeHeartbeat> beats) {
    List<Refused> refused = new ArrayList<>();
    beats.stream()
        .sorted(Comparator.comparing(NodeHeartbeat::nodeId))
        .forEach(beat ->
            refusal(state, beat).ifPresent(reason -> refused.add(new Refused(node(beat), reason))));
    return refused;
  }

  /** Why a node can't be a member: a level that it doesn't support. */
  public static Optional<String> refusal(ClusterState state, NodeHeartbeat beat) {
    return beat.featureLevels().contain(state.featureLevel())
        ? Optional.empty()
        : Optional.of(
            "it supports feature "
                + beat.featureLevels()
                + ", the cluster is at feature level "
                + state.featureLevel());
  }

  private static void beats(ClusterState state, NodeHeartbeat beat, List<ClusterEvent> events) {
    NodeInfo node = node(beat);
    NodeInfo known = state.nodes().get(beat.nodeId());
    if (node.equals(known)) {
      return;
    }
    events.add(new ClusterEvent.NodeJoined(node));
    if (known == null || !known.incarnation().equals(node.incarnation())) {
      renewTerms(state, node.nodeId(), events);
    }
  }

  private static NodeInfo node(NodeHeartbeat beat) {
    return new NodeInfo(
        beat.nodeId(),
        beat.name(),
        beat.incarnation(),
        beat.roles(),
        beat.url(),
        beat.attributes());
  }

  private static void refuse(
      ClusterState state, NodeHeartbeat beat, String reason, List<ClusterEvent> events) {
    if (state.nodes().containsKey(beat.nodeId())) {
      events.add(new ClusterEvent.NodeLeft(beat.nodeId(), reason));
    }
  }

  private static void renewTerms(ClusterState state, String nodeId, List<ClusterEvent> events) {
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        // Nothing of a closed index is open, so nobody would report its primary as started.
        if (!index.closed() && shard.primary().isOn(nodeId)) {
          events.add(
              new ClusterEvent.PrimaryAssigned(
                  shard.shard(), shard.primary().copyId(), nodeId, shard.newestTerm() + 1));
        }
      }
      IndexMetadata.Follow follow = index.follow();
      if (follow != null && nodeId.equals(follow.nodeId())) {
        events.add(new ClusterEvent.FollowAssigned(index.uuid(), nodeId, follow.assignment() + 1));
      }
    }
  }
}
