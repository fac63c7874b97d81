package io.varve.selection;

import java.util.HashMap;
import java.util.Map;

/** Requests of one search that are assigned but not yet sent, by node. */
final class PlannedRequests {

  private final Map<String, Integer> byNode = new HashMap<>();

  synchronized int on(String node) {
    return byNode.getOrDefault(node, 0);
  }

  synchronized void chosen(String node) {
    byNode.merge(node, 1, Integer::sum);
  }

  synchronized void sent(String node) {
    byNode.computeIfPresent(node, (n, count) -> count == 1 ? null : count - 1);
  }
}
