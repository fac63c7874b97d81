package io.varve.coordinator.rest.cat;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestEndpoints;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.search.Counter;
import io.varve.coordinator.rest.shard.CopyReader;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the tables. */
@Configuration(proxyBeanMethods = false)
public class CatConfiguration {

  @Bean
  RestEndpoints catEndpoints(
      ClusterAccess cluster, CopyReader stats, Counter counter, InstantSource restClock) {
    return new RestEndpoints(endpoints(cluster, stats, counter, restClock));
  }

  static List<RestEndpoint> endpoints(
      ClusterAccess cluster, CopyReader stats, Counter counter, InstantSource clock) {
    ClusterTables ofCluster = new ClusterTables(cluster, counter, clock);
    IndexTables ofIndices = new IndexTables(cluster, stats);
    List<RestEndpoint> endpoints = new ArrayList<>();
    endpoints.add(new CatEndpoint(ofCluster::health, "/_cat/health"));
    endpoints.add(new CatEndpoint(ofCluster::count, "/_cat/count", "/_cat/count/{index}"));
    endpoints.add(
        new CatEndpoint(ofCluster::clusterManager, "/_cat/master", "/_cat/cluster_manager"));
    endpoints.add(new CatEndpoint(ofCluster::nodes, "/_cat/nodes"));
    endpoints.add(new CatEndpoint(ofIndices::indices, "/_cat/indices", "/_cat/indices/{index}"));
    endpoints.add(new CatEndpoint(ofIndices::shards, "/_cat/shards", "/_cat/shards/{index}"));
    endpoints.add(
        new CatEndpoint(
            ofIndices::segmentReplication,
            "/_cat/segment_replication",
            "/_cat/segment_replication/{index}"));
    endpoints.add(new Overview(List.copyOf(endpoints)));
    return endpoints;
  }

  /** {@code _cat} itself: the paths of the tables. */
  private record Overview(List<RestEndpoint> tables) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.get("/_cat");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      StringBuilder text = new StringBuilder("=^.^=\n");
      tables.stream()
          .flatMap(table -> table.routes().stream())
          .map(Route::template)
          .sorted()
          .forEach(path -> text.append(path).append('\n'));
      return responder -> responder.text(200, text.toString());
    }
  }
}
