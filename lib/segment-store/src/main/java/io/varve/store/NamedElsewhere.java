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
 * Objects that are named by an index for which they were not stored: one that was restored begins
 * with the files of its predecessor, which may live on, in this cluster or in another that shares
 * the store. Who deletes asks here before.
 *
 * <p>The points in the store say so, and nothing else does. One point never changes, so each is
 * read once. Thread-safe.
 */
public final class NamedElsewhere {

  private final SegmentStore store;
  private final StoredPoints points;
  private Map<SegmentStore.Key, Set<SegmentStore.Key>> byPoint = Map.of();
  private boolean looked;
  private long lookedMillis;

  public NamedElsewhere(SegmentStore store) {
    this.store = store;
    this.points = new StoredPoints(store);
  }

  /** What any index names of others' objects, as of a look that is no older than so long. */
  public synchronized Set<SegmentStore.Key> all(long nowMillis, long ageMillis) throws IOException {
    if (!looked || nowMillis - lookedMillis >= ageMillis) {
      look(Set.of());
      looked = true;
      lookedMillis = nowMillis;
    }
    return union(byPoint.values());
  }

  /** What indices but those name of others' objects, as of now. */
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
      System.getLogger(NamedElsewhere.class.getName())
          .log(System.Logger.Level.DEBUG, "it went as garbage after it was listed", e);
      return Set.of();
    }
  }

  /** What a stored manifest names that was stored for other indices. */
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
