package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads what a node answers as text. */
final class NodeText {

  private NodeText() {}

  /**
   * The body of the response to a GET request.
   *
   * @throws ShardClient.UnreachableException the node did not answer
   * @throws ApiException the node answered with an error
   */
  static String of(NodeHttp http, NodeInfo node, String path, Duration timeout)
      throws InterruptedException {
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
