package io.varve.coordinator.rest.ccr;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.ErrorBodies;
import java.util.List;
import java.util.Objects;

/** {@code GET /_plugins/_replication/{index}/_status}: see {@link ReplicationStatus}. */
final class ReplicationStatusEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final FollowReports reports;
  private final CopyReader copies;

  ReplicationStatusEndpoint(ClusterAccess cluster, FollowReports reports, CopyReader copies) {
    this.cluster = cluster;
    this.reports = reports;
    this.copies = copies;
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
      ClusterState state = cluster.state();
      IndexMetadata index = state.indices().get(name);
      if (index == null) {
        throw new ApiException(ErrorBodies.indexNotFound(name, "index_or_alias"));
      }
      ReplicationStatus status = new ReplicationStatus(state, index, reports.pullers());
      List<CopyRecovery> recoveries =
          status.needsRecoveries() ? recoveries(state, status.copied()) : List.of();
      responder.json(200, status.shown(verbose, recoveries));
    };
  }

  private List<CopyRecovery> recoveries(ClusterState state, IndexMetadata index)
      throws InterruptedException {
    return copies.recoveries(state, List.of(index)).stream()
        .map(CopyReader.Answer::reported)
        .filter(Objects::nonNull)
        .toList();
  }
}
