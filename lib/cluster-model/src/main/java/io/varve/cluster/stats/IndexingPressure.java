package io.varve.cluster.stats;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The current and total bytes of writes on a node, in the form of the node statistics. */
public final class IndexingPressure {

  private final BytePressure coordinating;
  private final BytePressure primary;

  private IndexingPressure(BytePressure coordinating, BytePressure primary) {
    this.coordinating = coordinating;
    this.primary = primary;
  }

  /** Writes in flight to primaries. */
  public static Map<String, Object> ofCoordinator(BytePressure coordinating) {
    return new IndexingPressure(coordinating, BytePressure.none()).stats();
  }

  /** Writes at primaries; operations that replicas apply do not count. */
  public static Map<String, Object> ofPrimaries(BytePressure primary) {
    return new IndexingPressure(BytePressure.none(), primary).stats();
  }

  static Map<String, Object> none() {
    return new IndexingPressure(BytePressure.none(), BytePressure.none()).stats();
  }

  private Map<String, Object> stats() {
    Map<String, Object> all = sizes(BytePressure::totalBytes);
    all.put("coordinating_rejections", coordinating.rejections());
    all.put("primary_rejections", primary.rejections());
    all.put("replica_rejections", 0L);
    return Tree.of(
        "memory",
        Tree.of(
            "current",
            sizes(BytePressure::currentBytes),
            "total",
            all,
            "limit_in_bytes",
            coordinating.limitBytes() + primary.limitBytes()));
  }

  private Map<String, Object> sizes(ToLongFunction<BytePressure> figure) {
    long coordinated = figure.applyAsLong(coordinating);
    long written = figure.applyAsLong(primary);
    return new LinkedHashMap<>(
        Tree.of(
            "combined_coordinating_and_primary_in_bytes",
            coordinated + written,
            "coordinating_in_bytes",
            coordinated,
            "primary_in_bytes",
            written,
            "replica_in_bytes",
            0L,
            "all_in_bytes",
            coordinated + written));
  }
}
