package io.varve.selection;

/**
 * The input of a ranker.
 *
 * @param nodes statistics of the nodes
 * @param planned requests of this search that are assigned but not yet sent
 * @param expectedNanos expected time of the work, 0 while unknown
 * @param moment the time, which is fixed for the whole ranking
 */
record Candidates(NodeViews nodes, PlannedRequests planned, long expectedNanos, Moment moment) {

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
