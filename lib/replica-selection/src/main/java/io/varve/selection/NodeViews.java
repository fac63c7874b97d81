package io.varve.selection;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes known to this coordinator. */
final class NodeViews {

  private final Map<String, NodeView> views = new ConcurrentHashMap<>();
  private final RequestCounters all = new RequestCounters();

  NodeView of(String node) {
    NodeView known = views.get(node);
    return known != null ? known : views.computeIfAbsent(node, id -> new NodeView(id, all));
  }

  Collection<NodeView> all() {
    return views.values();
  }

  /** Counters over all nodes, including nodes that left. */
  RequestCounters counters() {
    return all;
  }

  /** Removes all other nodes. */
  void retain(Set<String> nodes) {
    views.keySet().retainAll(nodes);
  }

  /** The number of nodes with statistics for the published formulas: their "number of clients". */
  int ranked() {
    int count = 0;
    for (NodeView view : views.values()) {
      if (view.ranksByFormula()) {
        count++;
      }
    }
    return count;
  }
}
