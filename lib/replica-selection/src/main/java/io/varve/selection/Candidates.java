package io.varve.selection;

/**
 * What a ranker may look at.
 *
 * @param nodes the statistics
 * @param planned requests of this search that are chosen and not yet sent
 * @param expectedNanos what this work takes, 0 while unknown
 * @param moment the same for the whole ranking
 */
record Candidates(NodeViews nodes, Planned planned, long expectedNanos, Moment moment) {

  NodeView view(Copy copy) {
    return nodes.of(copy.node());
  }

  long planned(Copy copy) {
    return planned.on(copy.node());
  }

  long outstanding(Copy copy) {
    return view(copy).outstanding() + planned(copy);
  }
}
