package io.varve.coordinator.cluster;

import io.varve.control.FaultDetection;

/**
 * The settings for the removal of nodes whose address refuses connections.
 *
 * @param refusedTimeoutMillis the time without a heartbeat after which such a node is removed; no
 *     effect from the node timeout on
 * @param probeIntervalMillis the shortest time between two probes of a suspected node
 * @param probeTimeoutMillis the time after which a probe has no outcome
 */
public record FaultSettings(
    long refusedTimeoutMillis, long probeIntervalMillis, int probeTimeoutMillis) {

  public FaultSettings {
    CoordinatorSettings.requirePositive("varve.node.refused-timeout-millis", refusedTimeoutMillis);
    CoordinatorSettings.requirePositive("varve.node.probe.interval-millis", probeIntervalMillis);
    CoordinatorSettings.requirePositive("varve.node.probe.timeout-millis", probeTimeoutMillis);
  }

  /** Nodes are removed by the node timeout only. */
  static FaultSettings none(long nodeTimeoutMillis) {
    return new FaultSettings(nodeTimeoutMillis, 1, 1);
  }

  FaultDetection.Limits limits() {
    return new FaultDetection.Limits(refusedTimeoutMillis, probeIntervalMillis);
  }
}
