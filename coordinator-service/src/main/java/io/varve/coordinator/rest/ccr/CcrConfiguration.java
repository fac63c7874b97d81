package io.varve.coordinator.rest.ccr;

import io.varve.client.CopyReader;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of cross-cluster replication. */
@Configuration(proxyBeanMethods = false)
public class CcrConfiguration {

  @Bean
  RestEndpoints ccrEndpoints(
      ClusterAccess cluster,
      HttpClient http,
      Parallel parallel,
      CopyReader copies,
      LeaseRemoval removal) {
    LeaderClusters leaders = new LeaderClusters(cluster, http);
    List<RestEndpoint> endpoints = new ArrayList<>();
    endpoints.add(new FollowEndpoint(cluster, leaders));
    endpoints.addAll(FollowLifecycleEndpoint.all(cluster, leaders));
    endpoints.add(new FollowInfoEndpoint(cluster));
    endpoints.add(new FollowStatsEndpoint(cluster, http, parallel));
    endpoints.add(new ForgetFollowerEndpoint(cluster, copies, removal));
    endpoints.add(new RemoteInfoEndpoint(cluster, http, parallel));
    return new RestEndpoints(endpoints);
  }
}
