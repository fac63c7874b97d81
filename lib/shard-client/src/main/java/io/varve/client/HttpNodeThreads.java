package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.stats.HotThreadsQuery;
import java.time.Duration;

/** Reads a node's hot threads over its internal HTTP endpoint. */
public final class HttpNodeThreads implements NodeThreads {

  private final NodeHttp http;

  public HttpNodeThreads(NodeHttp http) {
    this.http = http;
  }

  @Override
  public String hot(NodeInfo node, HotThreadsQuery query, Duration timeout)
      throws InterruptedException {
    String path = "/_internal/node/hot_threads?" + query.toParameters();
    return NodeText.of(http, node, path, timeout);
  }
}
