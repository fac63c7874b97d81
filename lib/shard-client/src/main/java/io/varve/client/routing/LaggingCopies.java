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
 * The copies from which this coordinator keeps searches away because they lag, see {@link
 * ReplicationLag}. They come last: whoever finds no other copy that answers gets what they show.
 * Each coordinator sees for itself, from what copies say of themselves. Thread-safe.
 */
public final class LaggingCopies {

  private static final Logger LOG = LoggerFactory.getLogger(LaggingCopies.class);

  private final ClusterStateSource cluster;
  private final Set<String> drained = ConcurrentHashMap.newKeySet();

  public LaggingCopies(ClusterStateSource cluster) {
    this.cluster = cluster;
  }

  /** The same copies of one shard, those that lag behind the others. */
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

  /** The nodes of those of the copies of one shard that lag. */
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

  /** Whether searches are kept away from the copy as long as there is another. */
  public boolean isDrained(ClusterState state, ShardRouting shard, CopyRouting copy) {
    Optional<CopyProgress> primary = cluster.progress(shard.primary().copyId());
    Optional<CopyProgress> said = cluster.progress(copy.copyId());
    boolean before = drained.contains(copy.copyId());
    boolean now =
        !copy.primary()
            && primary.isPresent()
            && said.isPresent()
            && ReplicationLag.isDrained(
                before, said.get(), primary.get().visibleSeqNo(), ReplicationLag.Limits.of(state));
    if (now && drained.add(copy.copyId())) {
      LOG.warn(
          "{} searches are kept away from copy {} on node {}, which is {} ms behind",
          shard.shard(),
          copy.copyId(),
          copy.nodeId(),
          said.get().millisBehind());
    } else if (!now && drained.remove(copy.copyId())) {
      LOG.info("{} copy {} is searched again", shard.shard(), copy.copyId());
    }
    return now;
  }

  /** How many there are. */
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
