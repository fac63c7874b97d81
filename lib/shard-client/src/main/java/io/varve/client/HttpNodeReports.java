package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.NodeDetails;
import java.io.IOException;
import java.time.Duration;

/** Reads a node's statistics over its internal HTTP endpoint. */
public final class HttpNodeReports implements NodeReader.Client {

  private final NodeHttp http;

  public HttpNodeReports(NodeHttp http) {
    this.http = http;
  }

  @Override
  public NodeDetails details(NodeInfo node, Duration timeout) throws InterruptedException {
    NodeHttp.Answer answer;
    try {
      answer = http.send(NodeRequest.get(node, "/_internal/node/figures", timeout));
    } catch (IOException e) {
      throw new ShardClient.UnreachableException(
          "[" + node.name() + "][" + node.url() + "] " + e, e);
    }
    if (answer.status() != 200) {
      throw new ApiException(ErrorBodies.read(answer.status(), answer.body()));
    }
    return Json.read(answer.body(), NodeDetails.class);
  }
}
