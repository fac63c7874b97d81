package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.Build;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /}: the name, version and cluster of this coordinator. */
public final class RootEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public RootEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.GET, RestMethod.HEAD), "/");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return responder -> {
      ClusterState state = cluster.state();
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("name", cluster.localNodeName());
      answer.put("cluster_name", state.clusterName());
      answer.put("cluster_uuid", state.clusterUuid());
      boolean other =
          ClusterSettings.IDENTITY_ELASTICSEARCH.equals(
              ClusterSettings.value(state, ClusterSettings.IDENTITY));
      answer.put("version", other ? Build.otherVersion() : Build.version());
      answer.put(
          "tagline",
          other ? "You Know, for Search" : "The OpenSearch Project: https://opensearch.org/");
      answer.put("security_enabled", cluster.isSecured());
      responder.json(200, answer);
    };
  }
}
