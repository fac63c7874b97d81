package io.varve.coordinator.rest.cat;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node as the tables show it: its identity from the cluster state, its report about its machine,
 * and the summed statistics of its copies.
 *
 * <p>A node that does not answer in time keeps its row; the values that only the node knows are
 * null and shown as empty cells.
 *
 * @param reported the node's report; null if it did not answer
 * @param leads whether it is the cluster manager
 */
record NodeRow(NodeInfo node, @Nullable NodeDetails reported, StatSections stats, boolean leads) {

  /** The time limit for a node to report its statistics. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Returns the id, shortened to its first characters unless {@code full}. */
  String id(boolean full) {
    return full || node.nodeId().length() <= 4 ? node.nodeId() : node.nodeId().substring(0, 4);
  }

  @Nullable Object number(String... path) {
    double value = reported == null ? Double.NaN : reported.number(Double.NaN, path);
    return Double.isNaN(value) ? null : (long) value;
  }

  @Nullable Object bytes(String... path) {
    return number(path) instanceof Long size ? new Bytes(size) : null;
  }

  @Nullable Object load(String span) {
    double value =
        reported == null
            ? Double.NaN
            : reported.number(Double.NaN, "os", "cpu", "load_average", span);
    return Double.isNaN(value) ? null : String.format(Locale.ROOT, "%.2f", value);
  }

  @Nullable Object info(String section, String name) {
    return reported == null ? null : reported.info(section).get(name);
  }

  long disk(String figure) {
    return number("fs", "total", figure) instanceof Long size ? size : -1;
  }

  /** Returns the used disk space; -1 if unknown. */
  long diskUsed() {
    long total = disk("total_in_bytes");
    return total <= 0 ? -1 : total - disk("available_in_bytes");
  }

  /** Returns a function that reads a statistic of the disk from a row. */
  static Function<NodeRow, @Nullable Object> diskBytes(String figure) {
    return row -> row.bytes("fs", "total", figure);
  }
}
