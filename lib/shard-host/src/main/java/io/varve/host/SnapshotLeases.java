package io.varve.host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides which snapshots are held; {@code K} orders them.
 *
 * <ul>
 *   <li>The newest is always held.
 *   <li>An older one is held while a lease on it is neither released nor expired, and for a grace
 *       period after the next one was published: a request for it may be in flight.
 *   <li>A released lease can't be taken again until it would have expired, because a renewal may
 *       have been sent before the release and arrive after it.
 *   <li>A snapshot that is no longer held is returned to the caller once, to be closed.
 * </ul>
 *
 * Mutable but without a clock: each call passes the time. Not thread-safe.
 */
public final class SnapshotLeases<K extends Comparable<K>, S> {

  private static final class Held<S> {
    final S snapshot;
    final Map<String, Long> endMillisByHolder = new HashMap<>();
    final Map<String, Long> refusedUntilMillis = new HashMap<>();

    Held(S snapshot) {
      this.snapshot = snapshot;
    }
  }

  /** The id of no copy. */
  private static final String GRACE = "";

  private final long leaseMillis;
  private final long graceMillis;
  private final TreeMap<K, Held<S>> byId = new TreeMap<>();

  public SnapshotLeases(long leaseMillis) {
    this(leaseMillis, 0);
  }

  public SnapshotLeases(long leaseMillis, long graceMillis) {
    this.leaseMillis = leaseMillis;
    this.graceMillis = graceMillis;
  }

  /** Makes this snapshot the newest. */
  public List<S> publish(K id, S snapshot, long nowMillis) {
    if (!byId.isEmpty() && id.compareTo(byId.lastKey()) <= 0) {
      throw new IllegalArgumentException("snapshot " + id + " after " + byId.lastKey());
    }
    Map.Entry<K, Held<S>> before = byId.lastEntry();
    if (before != null && graceMillis > 0) {
      before.getValue().endMillisByHolder.put(GRACE, nowMillis + graceMillis);
    }
    byId.put(id, new Held<>(snapshot));
    return sweep(nowMillis);
  }

  /** Takes or renews a lease; empty if the snapshot is not held or the lease was released. */
  public Optional<S> lease(K id, String holder, long nowMillis) {
    Held<S> held = byId.get(id);
    if (held == null || held.refusedUntilMillis.getOrDefault(holder, nowMillis) > nowMillis) {
      return Optional.empty();
    }
    held.endMillisByHolder.put(holder, nowMillis + leaseMillis);
    return Optional.of(held.snapshot);
  }

  public List<S> release(K id, String holder, long nowMillis) {
    Held<S> held = byId.get(id);
    if (held != null) {
      held.endMillisByHolder.remove(holder);
      held.refusedUntilMillis.put(holder, nowMillis + leaseMillis);
    }
    return sweep(nowMillis);
  }

  public Optional<S> held(K id) {
    return Optional.ofNullable(byId.get(id)).map(held -> held.snapshot);
  }

  public Optional<S> newest() {
    return Optional.ofNullable(byId.lastEntry()).map(entry -> entry.getValue().snapshot);
  }

  /** Ends expired leases. */
  public List<S> sweep(long nowMillis) {
    List<S> dropped = new ArrayList<>();
    if (byId.isEmpty()) {
      return dropped;
    }
    byId.values()
        .forEach(held -> held.refusedUntilMillis.values().removeIf(end -> end <= nowMillis));
    var older = byId.headMap(byId.lastKey()).values().iterator();
    while (older.hasNext()) {
      Held<S> held = older.next();
      held.endMillisByHolder.values().removeIf(end -> end <= nowMillis);
      if (held.endMillisByHolder.isEmpty()) {
        dropped.add(held.snapshot);
        older.remove();
      }
    }
    return dropped;
  }

  /** Removes and returns all snapshots. */
  public List<S> clear() {
    List<S> dropped = byId.values().stream().map(held -> held.snapshot).toList();
    byId.clear();
    return dropped;
  }
}
