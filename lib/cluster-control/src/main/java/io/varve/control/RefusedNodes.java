package io.varve.control;

import io.varve.control.Membership.Refused;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks the nodes that send heartbeats but are not admitted, so that a refusal is logged once per
 * process and feature level, not for each heartbeat. Not thread-safe.
 */
final class RefusedNodes {

  private Map<String, Refused> known = Map.of();

  /** The messages about newly refused nodes, to be logged. */
  List<String> update(List<Refused> refused) {
    Map<String, Refused> before = known;
    Map<String, Refused> now = new HashMap<>();
    refused.forEach(node -> now.put(node.node().nodeId(), node));
    known = now;
    return refused.stream()
        .filter(node -> !node.equals(before.get(node.node().nodeId())))
        .map(node ->
            "node [%s] (%s) is not admitted: %s"
                .formatted(node.node().name(), node.node().nodeId(), node.reason()))
        .toList();
  }
}
