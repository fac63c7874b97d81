package io.varve.coordinator.rest.cluster;

import io.varve.client.CopyReader;
import io.varve.client.NodeMetrics;
import io.varve.client.NodeReader;
import io.varve.client.NodeThreads;
import io.varve.client.routing.LaggingCopies;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.RestProperties;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoints;
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
            new ScrapeTargetsEndpoint(cluster),
            new RerouteEndpoint(cluster),
            new AllocationExplainEndpoint(cluster, nodes, stats, times, laggards),
            new NodesEndpoint(cluster, nodes, properties),
            new NodesStatsEndpoint(cluster, stats, nodes)));
  }

  @Bean
  RestEndpoints processEndpoints(
      ClusterAccess cluster, NodeThreads threads, NodeMetrics metrics, Parallel parallel) {
    return new RestEndpoints(
        List.of(
            new HotThreadsEndpoint(cluster, threads, parallel),
            new NodeMetricsEndpoint(cluster, metrics)));
  }
}
