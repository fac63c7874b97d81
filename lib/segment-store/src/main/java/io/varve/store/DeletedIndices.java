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
 * What the store still holds of indices that were deleted, and its end.
 *
 * <ul>
 *   <li>Only indices that the cluster's log says to be deleted are looked at: of others, and of
 *       other clusters that share the store, nothing is touched.
 *   <li>They stay for the grace, counted from when they were first found here: until then they can
 *       be restored.
 *   <li>They stay as long as anything of them is named by an index that lives: one that was
 *       restored begins with the files of its predecessor. Then they go as a whole.
 * </ul>
 *
 * <p>An index without anything in the store is looked at again after a grace, and then no more:
 * what an upload had under way when the index was deleted comes late.
 *
 * <p>The files go before the manifests that name them: what is left behind by a process that ended
 * is found again. Thread-safe, and one looks or deletes at a time.
 */
public final class DeletedIndices {

  /**
   * What is left of an index.
   *
   * @param needed whether another index names something of it
   * @param dueInMillis 0 when the grace is over
   */
  public record Leftover(
      String indexUuid, int objects, long bytes, boolean needed, long dueInMillis) {

    public boolean isDue() {
      return !needed && dueInMillis == 0;
    }
  }

  /** All that lives. */
  @FunctionalInterface
  public interface Living {

    /** What indices that live have in the store; throws when that can't be known for certain. */
    List<StoredManifest> stored() throws IOException;
  }

  private final SegmentStore store;
  private final NamedElsewhere elsewhere;
  private final long graceMillis;
  private final Map<String, Long> foundMillis = new HashMap<>();
  private final Map<String, Long> emptyMillis = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  public DeletedIndices(SegmentStore store, long graceMillis) {
    this.store = store;
    this.elsewhere = new NamedElsewhere(store);
    this.graceMillis = graceMillis;
  }

  /** What there is; nothing is deleted. */
  public synchronized List<Leftover> look(Set<String> deleted, Living living, long nowMillis)
      throws IOException {
    return leftovers(left(deleted, nowMillis), deleted, living, nowMillis);
  }

  private List<Leftover> leftovers(
      Map<String, List<SegmentStore.Present>> left,
      Set<String> deleted,
      Living living,
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

  /** Deletes what is due; what that was. */
  public synchronized List<Leftover> sweep(Set<String> deleted, Living living, long nowMillis)
      throws IOException {
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

  /** Of which there is something, and what. Asks the store only when something may be there. */
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

  /** The files first. */
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

  /** Whatever lives, here or in another cluster that shares the store. */
  private Set<SegmentStore.Key> named(Set<String> deleted, Living living) throws IOException {
    Set<SegmentStore.Key> named = new HashSet<>();
    living.stored().forEach(stored -> named.addAll(NamedElsewhere.others(stored)));
    named.addAll(elsewhere.byOthersThan(deleted));
    return named;
  }
}
