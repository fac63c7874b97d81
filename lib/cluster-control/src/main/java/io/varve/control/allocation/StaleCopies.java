package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ReplicationLag;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Fails copies that lag too far for too long, so that they are rebuilt under a new id. Of the
 * copies whose primaries are on one node, only the one furthest behind is failed per interval,
 * because rebuilding many copies would slow down the others even more.
 *
 * <p>This includes search-only copies, except the last active one of a shard. Relocating copies are
 * never failed. Used by one thread, {@link #count} by any.
 */
public final class StaleCopies {

  private static final String REASON =
      "ALLOCATION_FAILED: replica too far behind primary, marking as stale";

  private record Stale(ShardRouting shard, CopyRouting copy, long millisBehind) {}

  private final Function<String, Optional<CopyProgress>> progress;
  private final long everyMillis;
  private final AtomicLong count = new AtomicLong();
  private long notBeforeMillis = Long.MIN_VALUE;

  /**
   * @param progress the newest progress report of a copy, by its id
   */
  public StaleCopies(Function<String, Optional<CopyProgress>> progress, long everyMillis) {
    this.progress = progress;
    this.everyMillis = everyMillis;
  }

  /** The number of copies failed so far. */
  public long count() {
    return count.get();
  }

  /** The copies to fail now. */
  public List<ClusterEvent> due(ClusterState state, long nowMillis) {
    ReplicationLag.Limits limits = ReplicationLag.Limits.of(state);
    if (limits.failMillis() == 0 || nowMillis < notBeforeMillis) {
      return List.of();
    }
    notBeforeMillis = nowMillis + everyMillis;
    Map<String, Stale> worst = new TreeMap<>();
    for (IndexMetadata index : state.indices().values()) {
      if (!index.closed() && index.replicationType().equals(IndexMetadata.SEGMENT)) {
        index
            .shards()
            .forEach(shard ->
                stale(state, shard, limits)
                    .forEach(one ->
                        worst.merge(
                            String.valueOf(shard.primary().nodeId()), one, StaleCopies::worse)));
      }
    }
    count.addAndGet(worst.size());
    return worst.values().stream()
        .<ClusterEvent>map(one ->
            new ClusterEvent.CopyUnassigned(one.shard().shard(), one.copy().copyId(), REASON))
        .toList();
  }

  private static Stale worse(Stale one, Stale other) {
    return one.millisBehind() >= other.millisBehind() ? one : other;
  }

  private List<Stale> stale(ClusterState state, ShardRouting shard, ReplicationLag.Limits limits) {
    List<Stale> stale = new ArrayList<>();
    Optional<CopyProgress> primary = progress.apply(shard.primary().copyId());
    if (primary.isEmpty() || !state.active(shard.primary())) {
      return stale;
    }
    long shown = primary.get().visibleSeqNo();
    for (CopyRouting copy : shard.copies()) {
      Optional<CopyProgress> reported = progress.apply(copy.copyId());
      if (!copy.primary()
          && state.active(copy)
          && shard.relocationOf(copy.copyId()).isEmpty()
          && reported.isPresent()
          && !isLastForSearches(state, shard, copy)
          && ReplicationLag.isToBeFailed(reported.get(), shown, limits)) {
        stale.add(new Stale(shard, copy, reported.get().millisBehind()));
      }
    }
    stale.sort(Comparator.comparingLong(Stale::millisBehind));
    return stale;
  }

  private static boolean isLastForSearches(
      ClusterState state, ShardRouting shard, CopyRouting copy) {
    return copy.searchOnly() && shard.searchReplicas().stream().filter(state::active).count() < 2;
  }
}
