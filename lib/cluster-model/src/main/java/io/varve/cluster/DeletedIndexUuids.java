package io.varve.cluster;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The uuids of deleted indices, used to clean up their topics and their objects in the segment
 * store. At most {@link #MAX} are kept and the oldest are dropped first, because snapshots of the
 * cluster log contain them and must not grow with the age of a cluster. Not thread-safe.
 */
public final class DeletedIndexUuids {

  public static final int MAX = 10_000;

  private final LinkedHashSet<String> uuids;
  private @Nullable Set<String> shown;

  public DeletedIndexUuids() {
    this(List.of());
  }

  /** Restores the value of {@link #oldestFirst}. */
  public DeletedIndexUuids(List<String> oldestFirst) {
    uuids = new LinkedHashSet<>(oldestFirst);
  }

  public void add(ClusterEvent event) {
    for (String uuid : event.deletedIndexUuids()) {
      uuids.add(uuid);
      if (uuids.size() > MAX) {
        uuids.removeFirst();
      }
      shown = null;
    }
  }

  public List<String> oldestFirst() {
    return List.copyOf(uuids);
  }

  /** Immutable, the oldest first; the same instance is returned until another index is deleted. */
  public Set<String> asSet() {
    Set<String> set = shown;
    if (set == null) {
      set = Collections.unmodifiableSet(new LinkedHashSet<>(uuids));
      shown = set;
    }
    return set;
  }
}
