package io.varve.client;

import io.varve.cluster.NodeInfo;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads a node's metrics from the endpoint for Prometheus, with the credentials of a process of the
 * cluster.
 */
public final class HttpNodeMetrics implements NodeMetrics {

  private static final String PATH = "/_actuator/prometheus";

  private final NodeHttp http;

  public HttpNodeMetrics(NodeHttp http) {
    this.http = http;
  }

  @Override
  public String text(NodeInfo node, @Nullable String name, Duration timeout)
      throws InterruptedException {
    String path =
        name == null
            ? PATH
            : PATH + "?includedNames=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    return NodeText.of(http, node, path, timeout);
  }
}
