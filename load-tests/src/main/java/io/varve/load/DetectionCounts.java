package io.varve.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often leading coordinators suspected a node and removed a node, by the sign that they saw. A
 * coordinator counts only while it leads, so the counts of all coordinators are added.
 *
 * @param suspectedDisconnected a connection to the node was refused or broke
 * @param suspectedSilent no heartbeat of the node arrived for some time
 * @param removedRefused the node refused connections and was silent
 * @param removedSilent no heartbeat of the node arrived until the node timeout
 */
record DetectionCounts(
    long suspectedDisconnected, long suspectedSilent, long removedRefused, long removedSilent) {

  static final DetectionCounts NONE = new DetectionCounts(0, 0, 0, 0);

  private static final String SUSPECTED = "varve_cluster_nodes_suspected_total";
  private static final String REMOVED = "varve_cluster_nodes_removed_total";

  /**
   * Reads the counts of one coordinator.
   *
   * @param metrics in the text format of Prometheus
   * @throws IllegalArgumentException a count is missing
   */
  static DetectionCounts parse(String metrics) {
    return new DetectionCounts(
        count(metrics, SUSPECTED, "disconnected"),
        count(metrics, SUSPECTED, "silent"),
        count(metrics, REMOVED, "refused"),
        count(metrics, REMOVED, "silent"));
  }

  private static long count(String metrics, String name, String sign) {
    Matcher line =
        Pattern.compile("(?m)^" + name + "\\{[^}]*sign=\"" + sign + "\"[^}]*} (\\S+)")
            .matcher(metrics);
    if (!line.find()) {
      throw new IllegalArgumentException(
          "the coordinator has no metric " + name + " with the sign " + sign);
    }
    return (long) Double.parseDouble(line.group(1));
  }

  DetectionCounts plus(DetectionCounts other) {
    return new DetectionCounts(
        suspectedDisconnected + other.suspectedDisconnected,
        suspectedSilent + other.suspectedSilent,
        removedRefused + other.removedRefused,
        removedSilent + other.removedSilent);
  }

  long removed() {
    return removedRefused + removedSilent;
  }
}
