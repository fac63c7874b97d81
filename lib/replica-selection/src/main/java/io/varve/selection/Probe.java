package io.varve.selection;

/** A request for a node's {@link NodeReport}, answered outside its search executor. */
public interface Probe {

  String node();

  void answered(NodeReport report);

  void failed();
}
