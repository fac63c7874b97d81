package io.varve.cluster;

import io.varve.events.Feature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which node pulls each shard of an index that follows another, from the cluster state
 * alone: all nodes that read the same state agree.
 *
 * <pre>
 *   no node is assigned to the index        none
 *   without {@link Feature#SPREAD_PULLERS}  the assigned node, all shards
 *   otherwise                               the shards are spread over all nodes with the role
 *                                           {@code ccr}
 * </pre>
 *
 * INVARIANT: with {@code s} shards and {@code n} nodes none pulls more than {@code ceil(s / n)}.
 * Among the nodes below that bound a shard goes to the one with the largest hash of index, shard
 * and node, so that most shards stay where they are when a node joins or leaves.
 *
 * <p>Nodes that read different states may briefly pull the same shard. That is harmless, since the
 * follower's primary drops operations that it holds. Its fence is the assignment of the index,
 * which rises when the assigned node changes.
 */
public final class PullerAssignment {

  private PullerAssignment() {}

  /** The ids of the nodes that pull, by shard number; empty if no node pulls. */
  public static List<String> nodes(ClusterState state, IndexMetadata index) {
    FollowRelation follow = index.follow();
    String assigned = follow == null ? null : follow.nodeId();
    if (assigned == null) {
      return List.of();
    }
    List<String> pullers =
        state.nodes().values().stream()
            .filter(node -> node.has(NodeInfo.CCR))
            .map(NodeInfo::nodeId)
            .toList();
    int shards = index.shards().size();
    return pullers.isEmpty() || !state.has(Feature.SPREAD_PULLERS)
        ? Collections.nCopies(shards, assigned)
        : spread(index.uuid(), shards, pullers);
  }

  private static List<String> spread(String indexUuid, int shards, List<String> pullers) {
    int bound = Math.ceilDiv(shards, pullers.size());
    Map<String, Integer> counts = new HashMap<>();
    List<String> nodes = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      String prefix = indexUuid + "/" + shard + "/";
      String best = "";
      int bestHash = Integer.MIN_VALUE;
      for (String puller : pullers) {
        int hash = RoutingHash.hash(prefix + puller);
        if (counts.getOrDefault(puller, 0) < bound && (best.isEmpty() || hash > bestHash)) {
          best = puller;
          bestHash = hash;
        }
      }
      counts.merge(best, 1, Integer::sum);
      nodes.add(best);
    }
    return List.copyOf(nodes);
  }
}
