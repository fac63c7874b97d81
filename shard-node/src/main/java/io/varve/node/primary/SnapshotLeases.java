package io.varve.node.primary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which snapshots are held, and for whom.
 *
 * <ul>
 *   <li>The newest is always held.
 *   <li>An older one is held as long as a lease on it is neither released nor past its end.
 *   <li>What is no longer held is given to the caller, once, to be closed.
 * </ul>
 *
 * Pure but for being mutable: time comes in with each call. Not thread-safe.
 */
public final class SnapshotLeases<S> {

  private static final class Held<S> {
    final S snapshot;
    final Map<String, Long> endMillisByHolder = new HashMap<>();

    Held(S snapshot) {
      this.snapshot = snapshot;
    }
  }

  private final long leaseMillis;
  private final TreeMap<Long, Held<S>> byGeneration = new TreeMap<>();

  public SnapshotLeases(long leaseMillis) {
    this.leaseMillis = leaseMillis;
  }

  /** A new newest. */
  public List<S> publish(long generation, S snapshot, long nowMillis) {
    if (!byGeneration.isEmpty() && generation <= byGeneration.lastKey()) {
      throw new IllegalArgumentException(
          "generation " + generation + " after " + byGeneration.lastKey());
    }
    byGeneration.put(generation, new Held<>(snapshot));
    return sweep(nowMillis);
  }

  /** Takes or renews a lease; empty when the generation is not held. */
  public Optional<S> lease(long generation, String holder, long nowMillis) {
    Held<S> held = byGeneration.get(generation);
    if (held == null) {
      return Optional.empty();
    }
    held.endMillisByHolder.put(holder, nowMillis + leaseMillis);
    return Optional.of(held.snapshot);
  }

  public List<S> release(long generation, String holder, long nowMillis) {
    Held<S> held = byGeneration.get(generation);
    if (held != null) {
      held.endMillisByHolder.remove(holder);
    }
    return sweep(nowMillis);
  }

  public Optional<S> held(long generation) {
    return Optional.ofNullable(byGeneration.get(generation)).map(held -> held.snapshot);
  }

  public Optional<S> newest() {
    return Optional.ofNullable(byGeneration.lastEntry()).map(entry -> entry.getValue().snapshot);
  }

  /** Ends leases whose time is over. */
  public List<S> sweep(long nowMillis) {
    List<S> dropped = new ArrayList<>();
    if (byGeneration.isEmpty()) {
      return dropped;
    }
    var older = byGeneration.headMap(byGeneration.lastKey()).values().iterator();
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

  /** Gives up all of them. */
  public List<S> clear() {
    List<S> dropped = byGeneration.values().stream().map(held -> held.snapshot).toList();
    byGeneration.clear();
    return dropped;
  }
}
