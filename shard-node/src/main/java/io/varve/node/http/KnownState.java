package io.varve.node.http;

import io.varve.cluster.ClusterView;
import io.varve.rpc.ApiException;
import java.time.Duration;

/**
 * Has an endpoint wait until this node knows the version of the cluster's state that its caller
 * acts on, {@code cluster_version}: what is done by an index's settings is then done by those that
 * the client was told are there.
 */
public final class KnownState {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private KnownState() {}

  public static ShardEndpoint before(ClusterView cluster, ShardEndpoint endpoint) {
    return (copy, rest, request, response) -> {
      long version = Bodies.requiredLong(request, "cluster_version");
      if (!cluster.awaitVersion(version, TIMEOUT)) {
        throw new ApiException(
            503,
            "process_cluster_event_timeout_exception",
            "version " + version + " of the cluster state did not arrive within " + TIMEOUT);
      }
      endpoint.handle(copy, rest, request, response);
    };
  }
}
