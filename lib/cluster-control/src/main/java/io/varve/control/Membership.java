package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
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
import java.util.function.ToLongFunction;

/**
 * Decides which nodes join or leave the cluster: a pure function from the state and the received
 * heartbeats to events.
 *
 * <ul>
 *   <li>A node that sends heartbeats joins if it isn't a member, or if its process, address or
 *       roles are new.
 *   <li>A new process of a member does not have the state of the former process: its primaries get
 *       a new term right after it joined, and its pulls get a new assignment. Two processes never
 *       write in the same term, because a process does not open a term that was assigned before it
 *       joined. The same applies to a node that returns before its copies were reassigned, because
 *       it may be a new process.
 *   <li>A member that is silent for the timeout leaves; time in which the leader did not provably
 *       receive heartbeats does not count ({@link Reception}). {@link FaultDetection} removes most
 *       lost members earlier; the last heartbeat of such a process is too old to admit it again.
 *   <li>A node that does not support the cluster's feature level does not join. If it is a member,
 *       because its former process supported the level, it leaves.
 * </ul>
 */
public final class Membership {

  /** The start of the reason in the cluster log. */
  public static final String SILENT = "silent for ";

  /** The newest heartbeat of a node, and when it arrived by the leader's own clock. */
  public record Sign(NodeHeartbeat heartbeat, long arrivedMillis) {}

  private final long timeoutMillis;
  private final long joinsWithinMillis;

  /**
   * @param timeoutMillis the time without a heartbeat after which a member leaves
   * @param joinsWithinMillis a heartbeat older than this doesn't admit a node
   */
  public Membership(long timeoutMillis, long joinsWithinMillis) {
    if (timeoutMillis < 1 || joinsWithinMillis < 1) {
      throw new IllegalArgumentException(
          "timeouts must be >= 1 ms, were " + timeoutMillis + ", " + joinsWithinMillis);
    }
    this.timeoutMillis = timeoutMillis;
    this.joinsWithinMillis = Math.min(timeoutMillis, joinsWithinMillis);
  }

  /**
   * Returns the changes in the order of node ids.
   *
   * @param silentMillis for how long a node is silent, by its id
   */
  public List<ClusterEvent> changes(
      ClusterState state,
      Map<String, Sign> signs,
      ToLongFunction<String> silentMillis,
      long nowMillis) {
    List<ClusterEvent> events = new ArrayList<>();
    for (Sign sign : new TreeMap<>(signs).values()) {
      NodeHeartbeat beat = sign.heartbeat();
      boolean member = state.nodes().containsKey(beat.nodeId());
      if (nowMillis - sign.arrivedMillis() < (member ? timeoutMillis : joinsWithinMillis)) {
        refusal(state, beat)
            .ifPresentOrElse(
                reason -> refuse(state, beat, reason, events), () -> beats(state, beat, events));
      }
    }
    for (NodeInfo member : state.nodes().values()) {
      long silent = silentMillis.applyAsLong(member.nodeId());
      if (silent >= timeoutMillis) {
        events.add(new ClusterEvent.NodeLeft(member.nodeId(), SILENT + silent + " ms"));
      }
    }
    return events;
  }

  /** A node that is not admitted, with the reason. */
  public record Refused(NodeInfo node, String reason) {}

  /** The nodes that send heartbeats but are not admitted. */
  public List<Refused> refused(ClusterState state, Map<String, Sign> signs, long nowMillis) {
    return refused(
        state,
        signs.values().stream()
            .filter(sign -> nowMillis - sign.arrivedMillis() < timeoutMillis)
            .map(Sign::heartbeat)
            .toList());
  }

  /** The senders that are not admitted, in the order of their ids. */
  public static List<Refused> refused(ClusterState state, Collection<NodeHeartbeat> beats) {
    List<Refused> refused = new ArrayList<>();
    beats.stream()
        .sorted(Comparator.comparing(NodeHeartbeat::nodeId))
        .forEach(beat ->
            refusal(state, beat).ifPresent(reason -> refused.add(new Refused(node(beat), reason))));
    return refused;
  }

  /**
   * The reason for which a node can't be a member, if any: a feature level that it doesn't support.
   */
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
        // Copies of a closed index are not open, so no node would report its primary as started.
        if (!index.closed() && shard.primary().isOn(nodeId)) {
          events.add(
              new ClusterEvent.PrimaryAssigned(
                  shard.shard(), shard.primary().copyId(), nodeId, shard.newestTerm() + 1));
        }
      }
      FollowRelation follow = index.follow();
      if (follow != null && nodeId.equals(follow.nodeId())) {
        events.add(new ClusterEvent.FollowAssigned(index.uuid(), nodeId, follow.assignment() + 1));
      }
    }
  }
}
