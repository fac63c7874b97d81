package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Watermark;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Blocks writes to indices with a copy on a disk above the flood stage, until none of their disks
 * is above the high watermark. A block set by a user is not removed. Not thread-safe.
 *
 * <p>A new leader attributes a block to the flood stage while a disk of the index is above the high
 * watermark.
 */
public final class FloodStage {

  private final Set<String> flooded = new HashSet<>();

  /** The block changes that the disk usage requires. */
  public List<ClusterEvent> changes(ClusterState state, Map<String, DiskUsage> disks) {
    Set<String> flood = nodesAbove(Watermark.FLOOD_STAGE, state, disks);
    Set<String> high = nodesAbove(Watermark.HIGH, state, disks);
    return state.indices().values().stream()
        .flatMap(index -> change(index, isOnAny(flood, index), isOnAny(high, index)).stream())
        .toList();
  }

  private Optional<ClusterEvent> change(IndexMetadata index, boolean flood, boolean high) {
    boolean blocked =
        Boolean.parseBoolean(index.settings().get(IndexBlocks.READ_ONLY_ALLOW_DELETE));
    if (flood || (blocked && high)) {
      flooded.add(index.uuid());
    }
    if (flood && !blocked) {
      return Optional.of(block(index, "true"));
    }
    if (!high && flooded.remove(index.uuid()) && blocked) {
      return Optional.of(block(index, null));
    }
    return Optional.empty();
  }

  private static Set<String> nodesAbove(
      Watermark mark, ClusterState state, Map<String, DiskUsage> disks) {
    return Watermark.enabled(state)
        ? disks.entrySet().stream()
            .filter(disk -> mark.isExceeded(state, disk.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet())
        : Set.of();
  }

  private static boolean isOnAny(Set<String> nodes, IndexMetadata index) {
    return !nodes.isEmpty()
        && index.shards().stream()
            .flatMap(shard -> shard.everywhere().stream())
            .anyMatch(copy -> copy.nodeId() != null && nodes.contains(copy.nodeId()));
  }

  private static ClusterEvent block(IndexMetadata index, @Nullable String value) {
    Map<String, @Nullable String> change = new TreeMap<>();
    change.put(IndexBlocks.READ_ONLY_ALLOW_DELETE, value);
    return new ClusterEvent.IndexSettingsChanged(index.uuid(), index.settingsVersion() + 1, change);
  }
}
