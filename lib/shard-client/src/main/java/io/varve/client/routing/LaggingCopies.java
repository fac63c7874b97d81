package io.varve.client.routing;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ReplicationLag;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that get no searches from this coordinator because they lag, see {@link
 * ReplicationLag}. They come last: a search that finds no other copy uses them. Each coordinator
 * decides on its own, from the copies' progress records. Thread-safe.
 */
public final class LaggingCopies {

  private static final Logger LOG = LoggerFactory.getLogger(LaggingCopies.class);

  private final ClusterStateSource cluster;
  private final Set<String> drained = ConcurrentHashMap.newKeySet();

  public LaggingCopies(ClusterStateSource cluster) {
    this.cluster = cluster;
  }

  /** The same copies of one shard, with lagging ones moved to the end. */
  public List<CopyAddress> last(List<CopyAddress> ordered) {
    if (ordered.size() < 2) {
      return ordered;
    }
    ClusterState state = cluster.state();
    Optional<ShardRouting> shard = state.shard(ordered.getFirst().shard());
    if (shard.isEmpty()) {
      return ordered;
    }
    List<CopyAddress> fit = new ArrayList<>();
    List<CopyAddress> lagging = new ArrayList<>();
    for (CopyAddress copy : ordered) {
      (isDrained(state, shard.get(), copy.copy()) ? lagging : fit).add(copy);
    }
    fit.addAll(lagging);
    return fit;
  }

  /** The nodes of the lagging copies of one shard. */
  public Set<String> among(List<CopyAddress> copies) {
    ClusterState state = cluster.state();
    Optional<ShardRouting> shard =
        copies.isEmpty() ? Optional.empty() : state.shard(copies.getFirst().shard());
    return shard
        .map(routing ->
            copies.stream()
                .filter(copy -> isDrained(state, routing, copy.copy()))
                .map(copy -> copy.node().nodeId())
                .collect(Collectors.toSet()))
        .orElse(Set.of());
  }

  /** Whether the copy gets no searches while another one is available. */
  public boolean isDrained(ClusterState state, ShardRouting shard, CopyRouting copy) {
    Optional<CopyProgress> primary = cluster.progress(shard.primary().copyId());
    Optional<CopyProgress> reported = cluster.progress(copy.copyId());
    boolean before = drained.contains(copy.copyId());
    boolean now =
        !copy.primary()
            && primary.isPresent()
            && reported.isPresent()
            && ReplicationLag.isDrained(
                before,
                reported.get(),
                primary.get().visibleSeqNo(),
                ReplicationLag.Limits.of(state));
    if (now && drained.add(copy.copyId())) {
      LOG.warn(
          "{} copy {} on node {} gets no more searches: it is {} ms behind",
          shard.shard(),
          copy.copyId(),
          copy.nodeId(),
          reported.get().millisBehind());
    } else if (!now && drained.remove(copy.copyId())) {
      LOG.info("{} copy {} gets searches again", shard.shard(), copy.copyId());
    }
    return now;
  }

  /** Number of lagging copies. */
  public long count() {
    ClusterState state = cluster.state();
    Set<String> known = ConcurrentHashMap.newKeySet();
    long count = 0;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          known.add(copy.copyId());
          count += isDrained(state, shard, copy) ? 1 : 0;
        }
      }
    }
    drained.retainAll(known);
    return count;
  }
}
