package io.varve.store;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Deletes the stored objects of deleted indices.
 *
 * <ul>
 *   <li>Only indices that the cluster log lists as deleted are considered; objects of other
 *       indices, and of other clusters that share the store, are never touched.
 *   <li>Objects are kept for a grace period, counted from when they were first found here, during
 *       which the index can be restored.
 *   <li>Objects are kept while any of them is referenced by a live index: a restored index starts
 *       with its predecessor's files. After that they are deleted together.
 * </ul>
 *
 * <p>An index without stored objects is checked once more after the grace period, since an upload
 * in progress when the index was deleted may complete late.
 *
 * <p>Files are deleted before the manifests that reference them, so that an interrupted deletion is
 * found again. Thread-safe; listing and deleting are serialized.
 */
public final class DeletedIndices {

  /**
   * The remaining objects of a deleted index.
   *
   * @param needed whether another index references any of them
   * @param dueInMillis 0 when the grace period is over
   */
  public record Leftover(
      String indexUuid, int objects, long bytes, boolean needed, long dueInMillis) {

    public boolean isDue() {
      return !needed && dueInMillis == 0;
    }
  }

  /** The live indices. */
  @FunctionalInterface
  public interface LiveManifests {

    /** The manifests of live indices in the store; throws if they can't be determined reliably. */
    List<StoredManifest> stored() throws IOException;
  }

  private final SegmentStore store;
  private final CrossIndexReferences elsewhere;
  private final long graceMillis;
  private final Map<String, Long> foundMillis = new HashMap<>();
  private final Map<String, Long> emptyMillis = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  public DeletedIndices(SegmentStore store, long graceMillis) {
    this.store = store;
    this.elsewhere = new CrossIndexReferences(store);
    this.graceMillis = graceMillis;
  }

  /** Lists the remaining objects; deletes nothing. */
  public synchronized List<Leftover> look(Set<String> deleted, LiveManifests living, long nowMillis)
      throws IOException {
    return leftovers(left(deleted, nowMillis), deleted, living, nowMillis);
  }

  private List<Leftover> leftovers(
      Map<String, List<SegmentStore.Present>> left,
      Set<String> deleted,
      LiveManifests living,
      long nowMillis)
      throws IOException {
    Set<SegmentStore.Key> named = left.isEmpty() ? Set.of() : named(deleted, living);
    List<Leftover> found = new ArrayList<>();
    left.forEach((uuid, objects) ->
        found.add(
            new Leftover(
                uuid,
                objects.size(),
                objects.stream().mapToLong(SegmentStore.Present::lengthBytes).sum(),
                objects.stream().anyMatch(object -> named.contains(object.key())),
                Math.max(0, foundMillis.get(uuid) + graceMillis - nowMillis))));
    return found;
  }

  /** Deletes the objects that are due and returns their indices. */
  public synchronized List<Leftover> sweep(
      Set<String> deleted, LiveManifests living, long nowMillis) throws IOException {
    Map<String, List<SegmentStore.Present>> left = left(deleted, nowMillis);
    if (left.keySet().stream().allMatch(uuid -> nowMillis - foundMillis.get(uuid) < graceMillis)) {
      return List.of();
    }
    List<Leftover> due =
        leftovers(left, deleted, living, nowMillis).stream().filter(Leftover::isDue).toList();
    for (Leftover index : due) {
      for (SegmentStore.Present object : left.get(index.indexUuid())) {
        store.delete(object.key());
      }
    }
    return due;
  }

  /** The indices with remaining objects. Queries the store only if there may be any. */
  private Map<String, List<SegmentStore.Present>> left(Set<String> deleted, long nowMillis)
      throws IOException {
    Set<String> looked = new HashSet<>(deleted);
    looked.removeAll(gone);
    Map<String, List<SegmentStore.Present>> left = looked.isEmpty() ? Map.of() : objects(looked);
    for (String uuid : looked) {
      if (left.containsKey(uuid)) {
        foundMillis.putIfAbsent(uuid, nowMillis);
        emptyMillis.remove(uuid);
      } else {
        foundMillis.remove(uuid);
        empty(uuid, nowMillis);
      }
    }
    return left;
  }

  private void empty(String uuid, long nowMillis) {
    Long since = emptyMillis.putIfAbsent(uuid, nowMillis);
    if (since != null && nowMillis - since >= graceMillis) {
      emptyMillis.remove(uuid);
      gone.add(uuid);
    }
  }

  /** Files come first. */
  private Map<String, List<SegmentStore.Present>> objects(Set<String> indices) throws IOException {
    Map<String, List<SegmentStore.Present>> objects = new TreeMap<>();
    for (SegmentStore.Kind kind : SegmentStore.Kind.values()) {
      for (ShardId shard : store.shards(kind)) {
        if (indices.contains(shard.indexUuid())) {
          List<SegmentStore.Present> some = store.list(kind, shard);
          if (!some.isEmpty()) {
            objects.computeIfAbsent(shard.indexUuid(), _ -> new ArrayList<>()).addAll(some);
          }
        }
      }
    }
    return objects;
  }

  /**
   * Objects referenced by any live index, of this cluster or of another one that shares the store.
   */
  private Set<SegmentStore.Key> named(Set<String> deleted, LiveManifests living)
      throws IOException {
    Set<SegmentStore.Key> named = new HashSet<>();
    living.stored().forEach(stored -> named.addAll(CrossIndexReferences.others(stored)));
    named.addAll(elsewhere.byOthersThan(deleted));
    return named;
  }
}
