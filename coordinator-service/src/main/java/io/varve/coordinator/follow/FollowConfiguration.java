package io.varve.coordinator.follow;

import io.varve.cluster.RemoteFiles;
import io.varve.coordinator.rest.ClusterAccess;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires auto-follow and the updates of the followers' metadata. */
@Configuration(proxyBeanMethods = false)
public class FollowConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  FollowedClusters followedClusters(
      ClusterAccess cluster, RemoteFiles files, InstantSource restClock) {
    return new FollowedClusters(
        cluster,
        (followed, onChange) -> KafkaLeaderTail.open(files, followed, onChange),
        new AutoFollowStats(restClock),
        FollowedClusters.RETRY_MILLIS);
  }

  @Bean
  AutoFollowStatsEndpoint autoFollowEndpoint(FollowedClusters followed) {
    return new AutoFollowStatsEndpoint(followed);
  }
}
