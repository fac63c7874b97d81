package io.varve.cluster.figures;

import java.util.LinkedHashMap;
import java.util.Map;

/** The bytes of writes that a node has under way, and had. */
public final class IndexingPressure {

  /**
   * Bytes of writes.
   *
   * @param coordinating on their way to primaries
   * @param primary at a primary
   */
  public record Bytes(long coordinating, long primary) {}

  private IndexingPressure() {}

  /**
   * @param rejections writes that a primary refused
   * @param limitBytes 0 for none
   */
  public static Map<String, Object> figures(
      Bytes current, Bytes total, long rejections, long limitBytes) {
    Map<String, Object> all = sizes(total);
    all.put("coordinating_rejections", 0L);
    all.put("primary_rejections", rejections);
    all.put("replica_rejections", 0L);
    return Tree.of(
        "memory", Tree.of("current", sizes(current), "total", all, "limit_in_bytes", limitBytes));
  }

  private static Map<String, Object> sizes(Bytes bytes) {
    long both = bytes.coordinating() + bytes.primary();
    return new LinkedHashMap<>(
        Tree.of(
            "combined_coordinating_and_primary_in_bytes",
            both,
            "coordinating_in_bytes",
            bytes.coordinating(),
            "primary_in_bytes",
            bytes.primary(),
            "replica_in_bytes",
            0L,
            "all_in_bytes",
            both));
  }
}
