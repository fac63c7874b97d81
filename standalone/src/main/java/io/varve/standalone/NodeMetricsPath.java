package io.varve.standalone;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The path at which a coordinator answers with the metrics of another process. */
public final class NodeMetricsPath {

  private NodeMetricsPath() {}

  /**
   * @param node the name of the process
   */
  public static String of(String node) {
    return "/_prometheus/metrics/"
        + URLEncoder.encode(node, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
