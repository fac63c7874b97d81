package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /_license}: clients of Elasticsearch check here whether they may use cross-cluster
 * replication. It is registered only with {@code compatibility.identity: elasticsearch-7.10}; Varve
 * has no licenses.
 */
final class LicenseEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  LicenseEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_license");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    request.flag("local", false);
    return responder -> {
      ClusterState state = cluster.state();
      if (!ClusterSettings.IDENTITY_ELASTICSEARCH.equals(
          ClusterSettings.value(state, ClusterSettings.IDENTITY))) {
        throw new ApiException(
            404,
            "resource_not_found_exception",
            "there is no license; set ["
                + ClusterSettings.IDENTITY
                + "] to ["
                + ClusterSettings.IDENTITY_ELASTICSEARCH
                + "] for clients that require one");
      }
      Map<String, Object> license = new LinkedHashMap<>();
      license.put("status", "active");
      license.put("uid", state.clusterUuid());
      license.put("type", "trial");
      license.put("issued_to", state.clusterName());
      license.put("issuer", "varve");
      responder.json(200, Map.of("license", license));
    };
  }
}
