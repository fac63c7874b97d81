package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.stats.HotThreadsQuery;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    NodeHttp.Answer answer;
    try {
      answer = http.send(NodeRequest.get(node, path, timeout));
    } catch (IOException e) {
      throw new ShardClient.UnreachableException(
          "[" + node.name() + "][" + node.url() + "] " + e, e);
    }
    if (answer.status() != 200) {
      throw new ApiException(ErrorBodies.read(answer.status(), answer.body()));
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
