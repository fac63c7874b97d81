package io.varve.store;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tracks objects that are referenced by an index other than the one they were stored for: a
 * restored index starts with the files of its predecessor, which may still exist in this cluster or
 * in another one that shares the store. Must be consulted before objects are deleted.
 *
 * <p>Only the restore points in the store record such references. A restore point never changes, so
 * it is read once. Thread-safe.
 */
public final class CrossIndexReferences {

  private final SegmentStore store;
  private final StoredPoints points;
  private Map<SegmentStore.Key, Set<SegmentStore.Key>> byPoint = Map.of();
  private boolean looked;
  private long lookedMillis;

  public CrossIndexReferences(SegmentStore store) {
    this.store = store;
    this.points = new StoredPoints(store);
  }

  /** Objects referenced across indices, from a listing that is at most {@code ageMillis} old. */
  public synchronized Set<SegmentStore.Key> all(long nowMillis, long ageMillis) throws IOException {
    if (!looked || nowMillis - lookedMillis >= ageMillis) {
      look(Set.of());
      looked = true;
      lookedMillis = nowMillis;
    }
    return union(byPoint.values());
  }

  /** Objects of other indices referenced by any index except these, from a new listing. */
  public synchronized Set<SegmentStore.Key> byOthersThan(Set<String> indices) throws IOException {
    looked = false;
    look(indices);
    return union(byPoint.values());
  }

  private void look(Set<String> except) throws IOException {
    Map<SegmentStore.Key, Set<SegmentStore.Key>> found = new HashMap<>();
    for (ShardId shard : store.shards(SegmentStore.Kind.MANIFESTS)) {
      if (!except.contains(shard.indexUuid())) {
        for (SegmentStore.Key point : points.keys(shard)) {
          Set<SegmentStore.Key> known = byPoint.get(point);
          found.put(point, known == null ? read(point) : known);
        }
      }
    }
    byPoint = found;
  }

  private Set<SegmentStore.Key> read(SegmentStore.Key point) throws IOException {
    try {
      return others(points.read(point).stored());
    } catch (SourceGoneException e) {
      System.getLogger(CrossIndexReferences.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "the object was collected as garbage after it was listed",
              e);
      return Set.of();
    }
  }

  /** The objects referenced by a stored manifest that were stored for other indices. */
  public static Set<SegmentStore.Key> others(StoredManifest stored) {
    Set<SegmentStore.Key> named = new HashSet<>();
    for (StoredManifest.Place place : stored.places().values()) {
      SegmentStore.Key key = StoredSource.key(stored, place);
      if (!key.shard().equals(stored.shard())) {
        named.add(key);
      }
    }
    return Set.copyOf(named);
  }

  private static Set<SegmentStore.Key> union(Collection<Set<SegmentStore.Key>> sets) {
    Set<SegmentStore.Key> all = new HashSet<>();
    sets.forEach(all::addAll);
    return all;
  }
}
