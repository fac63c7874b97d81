package io.varve.host.http;

import io.varve.host.NodeContext;
import java.time.Duration;

/**
 * Has an endpoint wait until this node knows the version of the cluster's state that its caller
 * acts on, {@code cluster_version}: what is done by an index's settings is then done by those that
 * the client was told are there.
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
