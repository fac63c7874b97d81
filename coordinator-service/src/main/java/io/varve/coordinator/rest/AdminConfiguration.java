package io.varve.coordinator.rest;

import io.varve.coordinator.rest.alias.GetAliasEndpoint;
import io.varve.coordinator.rest.alias.PutAliasEndpoint;
import io.varve.coordinator.rest.alias.UpdateAliasesEndpoint;
import io.varve.coordinator.rest.cluster.AllocationExplainEndpoint;
import io.varve.coordinator.rest.cluster.ClusterSettingsEndpoint;
import io.varve.coordinator.rest.cluster.ClusterStateEndpoint;
import io.varve.coordinator.rest.cluster.ClusterStatsEndpoint;
import io.varve.coordinator.rest.cluster.FeatureLevelEndpoint;
import io.varve.coordinator.rest.cluster.HealthEndpoint;
import io.varve.coordinator.rest.cluster.HotThreadsEndpoint;
import io.varve.coordinator.rest.cluster.NodesEndpoint;
import io.varve.coordinator.rest.cluster.NodesStatsEndpoint;
import io.varve.coordinator.rest.cluster.PendingTasksEndpoint;
import io.varve.coordinator.rest.cluster.RerouteEndpoint;
import io.varve.coordinator.rest.cluster.RootEndpoint;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.coordinator.rest.document.Visibility;
import io.varve.coordinator.rest.index.AddBlockEndpoint;
import io.varve.coordinator.rest.index.ClearCacheEndpoint;
import io.varve.coordinator.rest.index.CreateIndexEndpoint;
import io.varve.coordinator.rest.index.DeleteIndexEndpoint;
import io.varve.coordinator.rest.index.FlushEndpoint;
import io.varve.coordinator.rest.index.ForceMergeEndpoint;
import io.varve.coordinator.rest.index.GetIndexEndpoint;
import io.varve.coordinator.rest.index.OpenCloseEndpoint;
import io.varve.coordinator.rest.index.PutIndexPartEndpoint;
import io.varve.coordinator.rest.index.RecoveryEndpoint;
import io.varve.coordinator.rest.index.ReencodeEndpoint;
import io.varve.coordinator.rest.index.RefreshEndpoint;
import io.varve.coordinator.rest.index.ResolveIndexEndpoint;
import io.varve.coordinator.rest.index.RolloverEndpoint;
import io.varve.coordinator.rest.index.ScaleEndpoint;
import io.varve.coordinator.rest.index.SegmentsEndpoint;
import io.varve.coordinator.rest.index.StatsEndpoint;
import io.varve.coordinator.rest.remotestore.RemoteStoreMetadataEndpoint;
import io.varve.coordinator.rest.remotestore.RemoteStoreStatsEndpoint;
import io.varve.coordinator.rest.remotestore.RestoreEndpoint;
import io.varve.coordinator.rest.remotestore.StoreGarbageEndpoint;
import io.varve.coordinator.rest.remotestore.StoreReader;
import io.varve.coordinator.rest.search.Laggards;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.coordinator.rest.shard.NodeReader;
import io.varve.coordinator.rest.shard.NodeThreads;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.coordinator.rest.template.SimulateEndpoint;
import io.varve.coordinator.rest.template.TemplateEndpoint;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of indices and of the cluster. */
@Configuration(proxyBeanMethods = false)
class AdminConfiguration {

  @Bean
  RestEndpoints indexEndpoints(
      ClusterAccess cluster,
      ShardClient client,
      Visibility visibility,
      CopyReader stats,
      Parallel parallel,
      InstantSource clock,
      Tasks tasks,
      StoreReader store) {
    List<RestEndpoint> endpoints = new ArrayList<>(GetIndexEndpoint.all(cluster));
    endpoints.add(new CreateIndexEndpoint(cluster));
    endpoints.addAll(OpenCloseEndpoint.all(cluster, tasks));
    endpoints.add(new AddBlockEndpoint(cluster));
    endpoints.add(new ScaleEndpoint(cluster, client, parallel));
    endpoints.add(new RolloverEndpoint(cluster, stats, clock));
    endpoints.addAll(UnsupportedEndpoint.all());
    endpoints.add(new ResolveIndexEndpoint(cluster));
    endpoints.add(new ForceMergeEndpoint(cluster, client, parallel, tasks));
    endpoints.add(new ReencodeEndpoint(cluster, client, parallel, tasks));
    endpoints.add(new ClearCacheEndpoint(cluster, client, parallel));
    endpoints.add(new GetAliasEndpoint(cluster));
    endpoints.addAll(TemplateEndpoint.all(cluster));
    endpoints.addAll(SimulateEndpoint.all(cluster));
    endpoints.addAll(PutAliasEndpoint.all(cluster));
    endpoints.add(new UpdateAliasesEndpoint(cluster));
    endpoints.add(new DeleteIndexEndpoint(cluster));
    endpoints.add(PutIndexPartEndpoint.ofMappings(cluster));
    endpoints.add(PutIndexPartEndpoint.ofSettings(cluster));
    endpoints.add(new RefreshEndpoint(cluster, visibility, parallel));
    endpoints.add(new FlushEndpoint(cluster, client, parallel));
    endpoints.add(new StatsEndpoint(cluster, stats));
    endpoints.add(new SegmentsEndpoint(cluster, stats));
    endpoints.add(new RecoveryEndpoint(cluster, stats, clock));
    endpoints.add(new RestoreEndpoint(cluster, store));
    endpoints.add(new RemoteStoreStatsEndpoint(cluster, stats));
    endpoints.add(new RemoteStoreMetadataEndpoint(cluster, store));
    endpoints.add(new StoreGarbageEndpoint(store));
    return new RestEndpoints(endpoints);
  }

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
      Laggards laggards,
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
