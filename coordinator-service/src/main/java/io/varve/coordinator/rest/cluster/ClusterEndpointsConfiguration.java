package io.varve.coordinator.rest.cluster;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.RestEndpoints;
import io.varve.coordinator.rest.RestProperties;
import io.varve.coordinator.rest.routing.LaggingCopies;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.coordinator.rest.shard.NodeReader;
import io.varve.coordinator.rest.shard.NodeThreads;
import io.varve.process.Parallel;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of the cluster and its nodes. */
@Configuration(proxyBeanMethods = false)
public class ClusterEndpointsConfiguration {

  @Bean
  UnassignedTimes unassignedTimes(ClusterAccess cluster, InstantSource clock) {
    return new UnassignedTimes(cluster, clock);
  }

  @Bean
  RestEndpoints clusterEndpoints(
      ClusterAccess cluster,
      CopyReader stats,
      NodeReader nodes,
      UnassignedTimes times,
      LaggingCopies laggards,
      RestProperties properties,
      InstantSource clock) {
    return new RestEndpoints(
        List.of(
            new RootEndpoint(cluster),
            new HealthEndpoint(cluster),
            new ClusterSettingsEndpoint(cluster),
            new ClusterStateEndpoint(cluster),
            new ClusterStatsEndpoint(cluster, stats, nodes, clock),
            new FeatureLevelEndpoint(cluster),
            new PendingTasksEndpoint(),
            new RerouteEndpoint(cluster),
            new AllocationExplainEndpoint(cluster, nodes, stats, times, laggards),
            new NodesEndpoint(cluster, nodes, properties),
            new NodesStatsEndpoint(cluster, stats, nodes)));
  }

  @Bean
  RestEndpoints threadEndpoints(ClusterAccess cluster, NodeThreads threads, Parallel parallel) {
    return new RestEndpoints(List.of(new HotThreadsEndpoint(cluster, threads, parallel)));
  }
}
