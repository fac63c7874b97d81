package io.varve.shard.replicated;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The other copies of a shard in a state of the cluster, as its primary sees them, in the order of
 * the shard's routing.
 *
 * @param named whether the state names this primary, in its term, as started: then it has all
 *     copies that started before the primary was read
 * @param started the started copies that writers wait for
 * @param assigned all such copies and targets of relocations; an admitted copy that is not among
 *     them is no longer a member
 */
public record Members(boolean named, Set<Member> started, Set<Member> assigned) {

  public Members {
    started = Collections.unmodifiableSet(new LinkedHashSet<>(started));
    assigned = Collections.unmodifiableSet(new LinkedHashSet<>(assigned));
  }

  /**
   * @param copyId of the primary of {@code term}
   */
  public static Members of(ClusterState state, ShardId shard, String copyId, long term) {
    Optional<ShardRouting> routing = state.shard(shard);
    if (routing.isEmpty()) {
      return new Members(false, Set.of(), Set.of());
    }
    CopyRouting primary = routing.get().primary();
    return new Members(
        routing.get().primaryTerm() == term && primary.copyId().equals(copyId) && primary.started(),
        others(
            state,
            routing.get().writeCopies().stream().filter(CopyRouting::started).toList(),
            copyId),
        others(
            state,
            routing.get().everywhere().stream().filter(c -> !c.searchOnly()).toList(),
            copyId));
  }

  private static Set<Member> others(ClusterState state, List<CopyRouting> copies, String copyId) {
    return copies.stream()
        .filter(copy -> copy.nodeId() != null && !copy.copyId().equals(copyId))
        .map(copy -> new Member(copy.copyId(), incarnation(state, copy)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A copy whose node is not a member of the cluster counts, but can't confirm anything. */
  private static String incarnation(ClusterState state, CopyRouting copy) {
    return state.node(String.valueOf(copy.nodeId())).map(NodeInfo::incarnation).orElse("");
  }
}
