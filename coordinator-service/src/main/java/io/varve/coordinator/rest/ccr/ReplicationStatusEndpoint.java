package io.varve.coordinator.rest.ccr;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import java.util.List;

/** {@code GET /_plugins/_replication/{index}/_status}: see {@link ReplicationStatus}. */
final class ReplicationStatusEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final FollowReports reports;

  ReplicationStatusEndpoint(ClusterAccess cluster, FollowReports reports) {
    this.cluster = cluster;
    this.reports = reports;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_plugins/_replication/{index}/_status");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.required("index");
    boolean verbose = request.flag("verbose", false);
    return responder -> {
      IndexMetadata index = cluster.state().indices().get(name);
      if (index == null) {
        throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
      }
      responder.json(200, new ReplicationStatus(index, reports.pullers()).shown(verbose));
    };
  }
}
