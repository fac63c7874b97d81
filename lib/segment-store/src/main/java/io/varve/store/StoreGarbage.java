package io.varve.store;

import io.varve.events.StoredManifest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which objects of a shard may be deleted.
 *
 * <ul>
 *   <li>Objects referenced by a kept manifest are kept.
 *   <li>Unreferenced objects are kept for a grace period, counted from when they were first found
 *       unreferenced: a copy may be fetching them, or a manifest may be about to reference them.
 * </ul>
 *
 * <p>Pure, except that it remembers when an object was first found unreferenced. Not thread-safe.
 */
public final class StoreGarbage {

  private final long graceMillis;
  private final Map<SegmentStore.Key, Long> unnamedSince = new HashMap<>();

  public StoreGarbage(long graceMillis) {
    this.graceMillis = graceMillis;
  }

  /** The objects that may be deleted now. */
  public List<SegmentStore.Key> due(
      Collection<SegmentStore.Present> objects, Collection<StoredManifest> kept, long nowMillis) {
    Set<SegmentStore.Key> named = named(kept);
    Set<SegmentStore.Key> there = new HashSet<>();
    List<SegmentStore.Key> due = new ArrayList<>();
    for (SegmentStore.Present object : objects) {
      SegmentStore.Key key = object.key();
      there.add(key);
      if (named.contains(key)) {
        unnamedSince.remove(key);
      } else if (nowMillis - unnamedSince.computeIfAbsent(key, _ -> nowMillis) >= graceMillis) {
        due.add(key);
      }
    }
    unnamedSince.keySet().retainAll(there);
    return due;
  }

  /**
   * Objects of the shard itself that the manifest references and that are missing from the store.
   */
  public static Set<SegmentStore.Key> lost(
      Collection<SegmentStore.Present> objects, StoredManifest newest) {
    Set<SegmentStore.Key> lost = named(List.of(newest));
    lost.removeIf(key -> !key.shard().equals(newest.shard()));
    objects.forEach(object -> lost.remove(object.key()));
    return lost;
  }

  private static Set<SegmentStore.Key> named(Collection<StoredManifest> kept) {
    Set<SegmentStore.Key> named = new HashSet<>();
    for (StoredManifest stored : kept) {
      stored.places().values().forEach(place -> named.add(StoredSource.key(stored, place)));
    }
    return named;
  }
}
