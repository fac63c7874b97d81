package io.varve.selection;

/** A request for a node's {@link ExecutorReport}, answered outside its search executor. */
public interface Probe {

  String node();

  void answered(ExecutorReport report);

  void failed();
}
