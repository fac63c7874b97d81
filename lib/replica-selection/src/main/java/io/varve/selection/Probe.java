package io.varve.selection;

/** A question for a node's {@link NodeReport} alone, answered outside its search executor. */
public interface Probe {

  String node();

  void answered(NodeReport report);

  void failed();
}
