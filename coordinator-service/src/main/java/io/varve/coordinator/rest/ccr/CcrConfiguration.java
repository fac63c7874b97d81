package io.varve.coordinator.rest.ccr;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoints;
import java.net.http.HttpClient;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of cross-cluster replication. */
@Configuration(proxyBeanMethods = false)
public class CcrConfiguration {

  @Bean
  RestEndpoints ccrEndpoints(ClusterAccess cluster, HttpClient http, Parallel parallel) {
    return new RestEndpoints(
        List.of(
            new FollowEndpoint(cluster, http),
            new FollowStatsEndpoint(cluster, http, parallel),
            new RemoteInfoEndpoint(cluster, http, parallel)));
  }
}
