package io.varve.cluster.stats;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The thread pools that the REST API names. Each process reports every pool; those that it does not
 * use stay at zero.
 */
public final class Pools {

  private final Map<String, Pool> pools = new TreeMap<>();

  public Pools() {
    for (String name : new String[] {"get", "write", "analyze"}) {
      pools.put(name, new Pool(Pool.Shape.FIXED));
    }
    pools.put("search_throttled", new Pool(Pool.Shape.FIXED, true));
    for (String name : new String[] {"search", "index_searcher"}) {
      pools.put(name, new Pool(Pool.Shape.RESIZABLE));
    }
    for (String name :
        new String[] {
          "fetch_shard_started",
          "fetch_shard_store",
          "flush",
          "force_merge",
          "generic",
          "management",
          "refresh"
        }) {
      pools.put(name, new Pool(Pool.Shape.SCALING));
    }
  }

  /** A pool by name; work without a pool of its own is {@code generic}. */
  public Pool of(String name) {
    Pool pool = pools.get(name);
    if (pool == null) {
      throw new IllegalArgumentException("no thread pool [" + name + "]");
    }
    return pool;
  }

  Map<String, Object> stats() {
    Map<String, Object> stats = new LinkedHashMap<>();
    pools.forEach((name, pool) -> stats.put(name, pool.stats()));
    return stats;
  }

  Map<String, Object> info() {
    Map<String, Object> info = new LinkedHashMap<>();
    pools.forEach((name, pool) -> info.put(name, pool.info()));
    return info;
  }
}
