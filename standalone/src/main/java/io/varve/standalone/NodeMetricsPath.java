package io.varve.standalone;

import io.varve.rpc.PathSegment;

/** The path at which a coordinator returns the metrics of another process. */
public final class NodeMetricsPath {

  private NodeMetricsPath() {}

  /**
   * @param node the name of the process
   */
  public static String of(String node) {
    return "/_prometheus/metrics/" + PathSegment.encode(node);
  }
}
