package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of copies by node that are needed for each possible place of each copy. They are
 * counted once and then follow the state shard by shard ({@link #replace}), because counting all
 * copies for each place would make a reconciliation quadratic. Not thread-safe.
 *
 * <ul>
 *   <li><i>staying</i>: copies of all indices, including recovering ones and targets of
 *       relocations, without those that relocate away
 *   <li><i>placed</i>: copies of open indices and targets of relocations
 *   <li><i>incoming</i>: those of them that recover from a primary
 *   <li><i>outgoing</i>: recoveries from primaries on the node
 * </ul>
 */
final class CopyTally {

  private static final String CREATED = "INDEX_CREATED";

  /** A node and the number of copies placed there; the emptiest node is the first. */
  private record Load(int copies, String nodeId) implements Comparable<Load> {
    private static final Comparator<Load> ORDER =
        Comparator.comparingInt(Load::copies).thenComparing(Load::nodeId);

    @Override
    public int compareTo(Load other) {
      return ORDER.compare(this, other);
    }
  }

  private final Map<String, Integer> staying = new HashMap<>();
  private final Map<String, Integer> incoming = new HashMap<>();
  private final Map<String, Integer> outgoing = new HashMap<>();
  private final Map<String, Integer> placed = new HashMap<>();
  private final NavigableSet<Load> members = new TreeSet<>();

  private CopyTally() {}

  static CopyTally of(ClusterState state) {
    CopyTally tally = new CopyTally();
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        tally.count(shard, index.closed(), 1);
      }
    }
    state
        .nodes()
        .keySet()
        .forEach(node -> tally.members.add(new Load(of(tally.placed, node), node)));
    return tally;
  }

  /** The shard of an open index has changed. */
  void replace(ShardRouting before, ShardRouting after) {
    count(before, false, -1);
    count(after, false, 1);
  }

  private void count(ShardRouting shard, boolean closed, int by) {
    List<CopyRouting> everywhere = shard.everywhere();
    for (CopyRouting copy : everywhere) {
      String nodeId = copy.nodeId();
      if (nodeId == null) {
        continue;
      }
      if (shard.relocationOf(copy.copyId()).isEmpty()) {
        staying.merge(nodeId, by, Integer::sum);
      }
      if (!closed) {
        place(nodeId, by);
        if (isRecovering(shard, copy)) {
          incoming.merge(nodeId, by, Integer::sum);
          String source = shard.primary().nodeId();
          if (source != null) {
            outgoing.merge(source, by, Integer::sum);
          }
        }
      }
    }
  }

  private void place(String nodeId, int by) {
    int before = of(placed, nodeId);
    placed.put(nodeId, before + by);
    if (members.remove(new Load(before, nodeId))) {
      members.add(new Load(before + by, nodeId));
    }
  }

  /**
   * Whether the copy is built from the primary; the first replicas of an index start empty instead.
   */
  private static boolean isRecovering(ShardRouting shard, CopyRouting copy) {
    return !copy.primary()
        && copy.state() == CopyRouting.State.INITIALIZING
        && (!copy.reason().equals(CREATED) || shard.relocationTo(copy.copyId()).isPresent());
  }

  private static int of(Map<String, Integer> counts, @Nullable String nodeId) {
    return nodeId == null ? 0 : counts.getOrDefault(nodeId, 0);
  }

  int staying(String nodeId) {
    return of(staying, nodeId);
  }

  int incoming(String nodeId) {
    return of(incoming, nodeId);
  }

  int outgoing(@Nullable String nodeId) {
    return of(outgoing, nodeId);
  }

  /** The members by the number of copies placed on them, then by id. */
  Stream<String> emptiestFirst() {
    return members.stream().map(Load::nodeId);
  }
}
