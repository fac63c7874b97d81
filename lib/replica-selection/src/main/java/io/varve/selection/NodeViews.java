package io.varve.selection;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes that this coordinator knows. */
final class NodeViews {

  private final Map<String, NodeView> views = new ConcurrentHashMap<>();
  private final Tally all = new Tally();

  NodeView of(String node) {
    NodeView known = views.get(node);
    return known != null ? known : views.computeIfAbsent(node, id -> new NodeView(id, all));
  }

  Collection<NodeView> all() {
    return views.values();
  }

  /** Of those that left, too. */
  Tally tally() {
    return all;
  }

  /** Forgets the nodes that left. */
  void retain(Set<String> nodes) {
    views.keySet().retainAll(nodes);
  }

  /** How many have statistics for the published formulas: their "number of clients". */
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
