package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.PullerAssignment;
import io.varve.events.ShardId;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pullers of a node, one for each index that it pulls, as in production's {@code FollowHost}.
 */
final class SimPullers {

  private final World world;
  private final SimNode node;
  private final Map<String, PullerActor> byIndex = new TreeMap<>();

  SimPullers(World world, SimNode node) {
    this.world = world;
    this.node = node;
  }

  void follow(ClusterState state) {
    byIndex
        .entrySet()
        .removeIf(entry -> {
          boolean ends =
              state
                  .index(entry.getKey())
                  .filter(index -> isPulled(state, index, entry.getValue()))
                  .isEmpty();
          if (ends) {
            entry.getValue().close();
          }
          return ends;
        });
    for (IndexMetadata index : state.indices().values()) {
      FollowRelation follow = index.follow();
      if (follow != null && isMine(state, index) && !byIndex.containsKey(index.uuid())) {
        PullerActor fresh =
            new PullerActor(
                world,
                node,
                new ShardId(follow.leaderUuid(), 0),
                new ShardId(index.uuid(), 0),
                follow.assignment());
        byIndex.put(index.uuid(), fresh);
        fresh.start();
      }
    }
  }

  private boolean isPulled(ClusterState state, IndexMetadata index, PullerActor puller) {
    FollowRelation follow = index.follow();
    return follow != null && isMine(state, index) && puller.assignment() == follow.assignment();
  }

  private boolean isMine(ClusterState state, IndexMetadata index) {
    return PullerAssignment.nodes(state, index).contains(node.nodeId());
  }

  void close() {
    byIndex.values().forEach(PullerActor::close);
    byIndex.clear();
  }

  /** Whether one of them reports that the leader's history is lost. */
  boolean hasLostItsLeader() {
    return byIndex.values().stream().anyMatch(PullerActor::isLost);
  }

  @Override
  public String toString() {
    return byIndex.isEmpty() ? "nothing is pulled" : byIndex.values().toString();
  }
}
