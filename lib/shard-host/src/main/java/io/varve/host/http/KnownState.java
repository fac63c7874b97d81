package io.varve.host.http;

import io.varve.host.NodeContext;
import io.varve.http.internal.Bodies;
import java.time.Duration;

/**
 * Makes an endpoint wait until this node knows {@code cluster_version}, the version of the cluster
 * state that the caller has seen, so that all settings that were acknowledged to the client apply.
 */
public final class KnownState {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private KnownState() {}

  public static ShardEndpoint before(NodeContext node, ShardEndpoint endpoint) {
    return (copy, rest, request, response) -> {
      node.awaitState(Bodies.requiredLong(request, "cluster_version"), TIMEOUT);
      endpoint.handle(copy, rest, request, response);
    };
  }
}
