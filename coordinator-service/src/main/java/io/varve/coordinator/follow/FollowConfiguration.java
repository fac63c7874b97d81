package io.varve.coordinator.follow;

import io.varve.coordinator.rest.ClusterAccess;
import java.net.http.HttpClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the updates of the metadata of followers. */
@Configuration(proxyBeanMethods = false)
public class FollowConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  FollowedClusters followedClusters(ClusterAccess cluster, HttpClient http) {
    return new FollowedClusters(
        cluster,
        (followed, onChange) -> KafkaLeaderTail.open(http, followed, onChange),
        FollowedClusters.RETRY_MILLIS);
  }
}
