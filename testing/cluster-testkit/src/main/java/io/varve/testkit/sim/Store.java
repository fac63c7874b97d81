package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segment store, and the newest manifest whose files were all uploaded to it. It can be
 * unavailable, and it can lose objects, which may be restored later.
 */
final class Store {

  private final EventQueue queue;
  private final Map<String, Segment> objects = new HashMap<>();
  private final Map<String, Segment> lost = new HashMap<>();
  private final Map<ShardId, Manifest> newest = new HashMap<>();
  private final Map<ShardId, Long> claims = new HashMap<>();
  private long unavailableUntilMicros;

  Store(EventQueue queue) {
    this.queue = queue;
  }

  boolean available() {
    return queue.nowMicros() >= unavailableUntilMicros;
  }

  void unavailableFor(long micros) {
    unavailableUntilMicros = queue.nowMicros() + micros;
  }

  /** Loses each object by chance; returns how many. */
  int lose(BooleanSupplier chance) {
    Map<String, Segment> gone = new TreeMap<>(objects);
    gone.values().removeIf(segment -> !chance.getAsBoolean());
    lost.putAll(gone);
    objects.keySet().removeAll(gone.keySet());
    return gone.size();
  }

  /** Restores all lost objects. */
  void findObjects() {
    objects.putAll(lost);
    lost.clear();
  }

  /** Restores all lost objects and becomes available. */
  void heal() {
    unavailableUntilMicros = 0;
    findObjects();
  }

  void put(ShardId shard, Segment segment) {
    objects.put(shard + segment.identity().name(), segment);
  }

  @Nullable Segment segment(ShardId shard, String name) {
    return objects.get(shard + name);
  }

  /** Whether it can serve all files now. */
  boolean holdsAll(Manifest manifest) {
    return manifest.files().stream()
        .allMatch(file -> isThat(file, segment(manifest.shard(), file.name())));
  }

  /** Whether all files were uploaded, even if some are lost now. */
  boolean wasGiven(Manifest manifest) {
    return manifest.files().stream()
        .allMatch(file -> {
          String key = manifest.shard() + file.name();
          return isThat(file, objects.getOrDefault(key, lost.get(key)));
        });
  }

  private static boolean isThat(SegmentFile file, @Nullable Segment segment) {
    return segment != null && segment.identity().sameContent(file);
  }

  /** Claims it for a term; returns false if a higher one has claimed it. */
  boolean isClaimed(ShardId shard, long term) {
    return claims.merge(shard, term, Math::max) == term;
  }

  /**
   * A primary reports that it has uploaded all files of this manifest. It does not count if a
   * higher term has claimed the store.
   */
  void stored(Manifest manifest) {
    Manifest known = newest.get(manifest.shard());
    boolean isNewer = known == null || manifest.isNewerThan(known);
    if (isNewer && isClaimed(manifest.shard(), manifest.term())) {
      newest.put(manifest.shard(), manifest);
    }
  }

  @Nullable Manifest newest(ShardId shard) {
    return newest.get(shard);
  }
}
