package io.varve.engine;

import io.varve.rpc.CopyStats;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Search counters of one copy. Each phase of a search is counted where it runs: {@link
 * Phases#query}, {@link Phases#concurrentQuery} and {@link Phases#fetch} around the work, {@link
 * Phases#scroll} and {@link Phases#pointInTime} from opening to closing a context.
 */
public final class SearchMeters {

  public static final class Phases {
    public final PhaseCounter query = new PhaseCounter();

    /** Queries that searched several slices concurrently. */
    public final PhaseCounter concurrentQuery = new PhaseCounter();

    public final LongAdder slices = new LongAdder();
    public final PhaseCounter fetch = new PhaseCounter();
    public final PhaseCounter scroll = new PhaseCounter();
    public final PhaseCounter pointInTime = new PhaseCounter();

    CopyStats.SearchPhases read() {
      return new CopyStats.SearchPhases(
          query.read(),
          concurrentQuery.read(),
          slices.sum(),
          fetch.read(),
          scroll.read(),
          pointInTime.read());
    }
  }

  /** Names come from clients, so the number of groups counted separately is limited. */
  private static final int MAX_GROUPS = 1_000;

  private final Phases all = new Phases();
  private final Map<String, Phases> groups = new ConcurrentHashMap<>();
  private final LongAdder openContexts = new LongAdder();
  private final CacheCounters queryCache = new CacheCounters();
  private final CacheCounters requestCache = new CacheCounters();
  private final Map<String, LongAdder> fielddataBytes = new ConcurrentHashMap<>();
  private final LongAdder idleReactivations = new LongAdder();

  public Phases all() {
    return all;
  }

  /** The counters of the stats groups of a search. */
  public List<Phases> groups(Collection<String> names) {
    return names.stream()
        .filter(name -> groups.containsKey(name) || groups.size() < MAX_GROUPS)
        .map(name -> groups.computeIfAbsent(name, _ -> new Phases()))
        .toList();
  }

  public void contextOpened() {
    openContexts.increment();
  }

  public void contextClosed() {
    openContexts.decrement();
  }

  public CacheCounters queryCache() {
    return queryCache;
  }

  public CacheCounters requestCache() {
    return requestCache;
  }

  /** Adds memory held for the values of a field; negative when released. */
  public void fielddata(String field, long bytes) {
    fielddataBytes.computeIfAbsent(field, _ -> new LongAdder()).add(bytes);
  }

  /** A search refreshes the copy, because it was search idle. */
  public void idleEnded() {
    idleReactivations.increment();
  }

  CopyStats.Search read() {
    Map<String, CopyStats.SearchPhases> byName = new HashMap<>();
    groups.forEach((name, phases) -> byName.put(name, phases.read()));
    Map<String, Long> fields = new HashMap<>();
    fielddataBytes.forEach((field, bytes) -> fields.put(field, Math.max(0, bytes.sum())));
    fields.values().removeIf(bytes -> bytes == 0);
    return new CopyStats.Search(
        Math.max(0, openContexts.sum()),
        all.read(),
        byName,
        new CopyStats.Caches(queryCache.read(), requestCache.read(), fields),
        idleReactivations.sum());
  }
}
