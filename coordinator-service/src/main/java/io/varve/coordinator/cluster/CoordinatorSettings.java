package io.varve.coordinator.cluster;

import java.nio.file.Path;
import java.util.Map;

/**
 * The settings of a coordinator.
 *
 * @param data its data folder, which contains its node id
 * @param heartbeatMillis the interval between heartbeats
 * @param nodeTimeoutMillis the time without a heartbeat after which a node is removed
 * @param leaderTimeoutMillis the time without a heartbeat after which another coordinator takes
 *     over from the leader
 * @param faults how ended nodes are removed earlier than that
 */
public record CoordinatorSettings(
    String clusterName,
    Identity identity,
    Path data,
    long heartbeatMillis,
    long nodeTimeoutMillis,
    long leaderTimeoutMillis,
    FaultSettings faults) {

  /** The node's name and attributes. */
  public record Identity(String name, Map<String, String> attributes) {
    public Identity {
      attributes = Map.copyOf(attributes);
    }
  }

  /** Settings of a node without attributes, which removes nodes by their timeout only. */
  public CoordinatorSettings(
      String clusterName,
      String nodeName,
      Path data,
      long heartbeatMillis,
      long nodeTimeoutMillis,
      long leaderTimeoutMillis) {
    this(
        clusterName,
        new Identity(nodeName, Map.of()),
        data,
        heartbeatMillis,
        nodeTimeoutMillis,
        leaderTimeoutMillis,
        FaultSettings.none(nodeTimeoutMillis));
  }

  public String nodeName() {
    return identity.name();
  }

  public CoordinatorSettings {
    if (!clusterName.matches("[A-Za-z0-9_-]{1,100}")) {
      throw new IllegalArgumentException(
          "varve.cluster-name must be 1 to 100 letters, digits, '_' or '-', was ["
              + clusterName
              + "]");
    }
    // The cat tables of nodes separate columns with spaces.
    if (!identity.name().matches("[-\\w.]{1,100}")) {
      throw new IllegalArgumentException(
          "varve.node-name must be 1 to 100 letters, digits, '_', '-' or '.', was ["
              + identity.name()
              + "]");
    }
    requirePositive("varve.node.heartbeat-millis", heartbeatMillis);
    if (nodeTimeoutMillis <= heartbeatMillis) {
      throw new IllegalArgumentException(
          "varve.node.timeout-millis must be > varve.node.heartbeat-millis, was "
              + nodeTimeoutMillis);
    }
    if (faults.refusedTimeoutMillis() < heartbeatMillis) {
      throw new IllegalArgumentException(
          "varve.node.refused-timeout-millis must be >= varve.node.heartbeat-millis, was "
              + faults.refusedTimeoutMillis());
    }
    if (leaderTimeoutMillis <= heartbeatMillis) {
      throw new IllegalArgumentException(
          "varve.leader.timeout-millis must be > varve.node.heartbeat-millis, was "
              + leaderTimeoutMillis);
    }
  }

  static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + value);
    }
  }
}
