package io.varve.shard.remote;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.log.LogException;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import io.varve.store.StoreAccess;
import io.varve.store.StoreGarbage;
import io.varve.store.StoredPoints;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes unreferenced objects of a shard from the segment store. Only the shard's primary does so,
 * and only if the log, read to its end after the decision, contains no claim of a higher term.
 * {@link StoredManifest} explains why this is safe even if the process then pauses. Objects with
 * which a restored index started are kept while a point of that index refers to them.
 */
final class GarbageRun {

  private static final Logger LOG = LoggerFactory.getLogger(GarbageRun.class);

  private final ShardId shard;
  private final InstantSource clock;
  private final StoreAccess access;
  private final TermClaim claim;
  private final StoredPoints points;
  private final StoreGarbage garbage;
  private final Map<SegmentStore.Key, StoredManifest> read = new HashMap<>();

  GarbageRun(ShardId shard, StoreAccess access, TermClaim claim, InstantSource clock) {
    this.shard = shard;
    this.clock = clock;
    this.access = access;
    this.claim = claim;
    points = new StoredPoints(access.store());
    garbage = new StoreGarbage(access.settings().retention().graceMillis());
  }

  /**
   * Deletes the objects that are due, and returns those that the newest manifest names and the
   * store lacks. If the store lacks one, nothing is deleted, because an older manifest may be the
   * only complete one.
   */
  Set<SegmentStore.Key> run(StoredManifest newest) throws IOException, LogException {
    List<SegmentStore.Present> objects = access.store().list(SegmentStore.Kind.SEGMENTS, shard);
    Set<SegmentStore.Key> lost = StoreGarbage.lost(objects, newest);
    if (lost.isEmpty()) {
      delete(newest, objects);
      return lost;
    }
    // A primary of a higher term deletes the objects that its own manifests do not need.
    return claim.isHighest() ? lost : Set.of();
  }

  private void delete(StoredManifest newest, List<SegmentStore.Present> objects)
      throws IOException, LogException {
    List<SegmentStore.Key> manifests = points.keys(shard);
    int keep = Math.min(access.settings().retention().manifests(), manifests.size());
    List<StoredManifest> kept = new ArrayList<>(read(manifests.subList(0, keep)));
    kept.add(newest);
    List<SegmentStore.Key> due = due(kept, objects);
    List<SegmentStore.Key> old = manifests.subList(keep, manifests.size());
    if (due.isEmpty() && old.isEmpty()) {
      return;
    }
    if (!claim.isHighest()) {
      LOG.info("{} deletes no garbage: the primary of a higher term does", shard);
      return;
    }
    for (SegmentStore.Key key : due) {
      access.store().delete(key);
    }
    for (SegmentStore.Key key : old) {
      access.store().delete(key);
    }
    LOG.debug("{} deleted {} objects, {} manifests", shard, due.size(), old.size());
  }

  private List<SegmentStore.Key> due(List<StoredManifest> kept, List<SegmentStore.Present> objects)
      throws IOException {
    long now = clock.millis();
    List<SegmentStore.Key> due = garbage.due(objects, kept, now);
    if (due.isEmpty()) {
      return due;
    }
    // An index that references the object read it here before the grace period began, and recorded
    // the reference immediately. A listing made half the grace period later therefore contains the
    // reference.
    try {
      Set<SegmentStore.Key> elsewhere =
          access.elsewhere().all(now, access.settings().retention().graceMillis() / 2);
      return due.stream().filter(key -> !elsewhere.contains(key)).toList();
    } catch (IOException e) {
      LOG.warn("{} deletes no garbage: the references of other indices can't be read", shard, e);
      return List.of();
    }
  }

  private List<StoredManifest> read(List<SegmentStore.Key> keys) throws IOException {
    read.keySet().retainAll(keys);
    List<StoredManifest> found = new ArrayList<>();
    for (SegmentStore.Key key : keys) {
      try {
        StoredManifest known = read.get(key);
        StoredManifest stored = known == null ? points.read(key).stored() : known;
        read.put(key, stored);
        found.add(stored);
      } catch (SourceGoneException e) {
        LOG.debug("{} was already deleted", key.path());
      }
    }
    return found;
  }
}
