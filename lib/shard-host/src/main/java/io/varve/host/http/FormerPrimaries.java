package io.varve.host.http;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexChanges;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes that had the primary of a shard in an earlier term, or were about to take over from it,
 * and no longer do. The state does not keep them. This process therefore remembers the nodes that
 * it has seen, for the shards of which it has a copy, because calls concern only these. It does not
 * know what happened before its start.
 *
 * <pre>
 *   a state whose primary is on another node    the former node is remembered
 *   the node has the primary again              forgotten
 *   no copy of the shard on this node           all of the shard's are forgotten
 *   more than {@link #MOST} nodes for a shard              the oldest is forgotten
 * </pre>
 *
 * States may arrive in any order; an older one changes nothing. Thread-safe.
 */
final class FormerPrimaries {

  static final int MOST = 8;

  private final String localNodeId;
  private final Map<ShardId, SequencedSet<String>> nodes = new HashMap<>();
  private ClusterState seen = ClusterState.EMPTY;

  FormerPrimaries(String localNodeId) {
    this.localNodeId = localNodeId;
  }

  synchronized void learn(ClusterState state) {
    if (state.version() <= seen.version()) {
      return;
    }
    IndexChanges changes = state.changesSince(seen);
    ClusterState before = seen;
    seen = state;
    for (IndexMetadata index : changes.before()) {
      if (state.index(index.uuid()).isEmpty()) {
        index.shards().forEach(shard -> nodes.remove(shard.shard()));
      }
    }
    for (IndexMetadata index : changes.after()) {
      for (ShardRouting shard : index.shards()) {
        if (shard.everywhere().stream().anyMatch(copy -> copy.isOn(localNodeId))) {
          before.shard(shard.shard()).ifPresent(former -> remember(former, shard));
        } else {
          nodes.remove(shard.shard());
        }
      }
    }
  }

  private void remember(ShardRouting before, ShardRouting now) {
    Set<String> former = new TreeSet<>(writers(before));
    Set<String> present = writers(now);
    former.removeAll(present);
    SequencedSet<String> known = nodes.computeIfAbsent(now.shard(), _ -> new LinkedHashSet<>());
    former.forEach(known::addLast);
    known.removeAll(present);
    while (known.size() > MOST) {
      known.removeFirst();
    }
    if (known.isEmpty()) {
      nodes.remove(now.shard());
    }
  }

  private static Set<String> writers(ShardRouting shard) {
    Set<String> writers = new TreeSet<>();
    String primary = shard.primary().nodeId();
    if (primary != null) {
      writers.add(primary);
    }
    String target =
        shard.handOver().map(Relocation::target).map(copy -> copy.nodeId()).orElse(null);
    if (target != null) {
      writers.add(target);
    }
    return writers;
  }

  synchronized boolean has(ShardId shard, String nodeId) {
    SequencedSet<String> known = nodes.get(shard);
    return known != null && known.contains(nodeId);
  }
}
