package io.varve.coordinator.rest.shard;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.NodeFigures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;

/** A node's report, over its internal HTTP. */
public final class HttpNodeReports implements NodeReader.Client {

  private final HttpClient http;

  public HttpNodeReports(HttpClient http) {
    this.http = http;
  }

  @Override
  public NodeFigures figures(NodeInfo node, Duration timeout) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + "/_internal/node/figures"))
            .timeout(Timeouts.ofUser(timeout))
            .build();
    HttpResponse<byte[]> response;
    try {
      response = http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException | UnresolvedAddressException e) {
      throw new ShardClient.UnreachableException(
          "[" + node.name() + "][" + node.url() + "] " + e, e);
    }
    if (response.statusCode() != 200) {
      throw new ApiException(ErrorBodies.read(response.statusCode(), response.body()));
    }
    return Json.read(response.body(), NodeFigures.class);
  }
}
