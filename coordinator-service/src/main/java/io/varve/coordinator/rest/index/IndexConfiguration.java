package io.varve.coordinator.rest.index;

import io.varve.client.CopyReader;
import io.varve.client.NodeClient;
import io.varve.client.ShardClient;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.UnsupportedEndpoint;
import io.varve.coordinator.rest.document.Visibility;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of indices. */
@Configuration(proxyBeanMethods = false)
public class IndexConfiguration {

  @Bean
  RestEndpoints indexEndpoints(
      ClusterAccess cluster,
      ShardClient client,
      Visibility visibility,
      CopyReader stats,
      Parallel parallel,
      InstantSource clock,
      Tasks tasks,
      NodeClient nodes) {
    List<RestEndpoint> endpoints = new ArrayList<>(GetIndexEndpoint.all(cluster));
    endpoints.add(new CreateIndexEndpoint(cluster));
    endpoints.addAll(OpenCloseEndpoint.all(cluster, tasks));
    endpoints.add(new ReviveEndpoint(cluster, new DeadShards(nodes, parallel)));
    endpoints.add(new AddBlockEndpoint(cluster));
    endpoints.add(new ScaleEndpoint(cluster, client, parallel));
    endpoints.add(new RolloverEndpoint(cluster, stats, clock));
    endpoints.addAll(UnsupportedEndpoint.all());
    endpoints.add(new ResolveIndexEndpoint(cluster));
    endpoints.add(new ForceMergeEndpoint(cluster, client, parallel, tasks));
    endpoints.add(new ReencodeEndpoint(cluster, client, parallel, tasks));
    endpoints.add(new ClearCacheEndpoint(cluster, client, parallel));
    endpoints.add(new DeleteIndexEndpoint(cluster));
    endpoints.add(PutIndexPartEndpoint.ofMappings(cluster));
    endpoints.add(PutIndexPartEndpoint.ofSettings(cluster));
    endpoints.add(new RefreshEndpoint(cluster, visibility, parallel));
    endpoints.add(new FlushEndpoint(cluster, client, parallel));
    endpoints.add(new StatsEndpoint(cluster, stats));
    endpoints.add(new SegmentsEndpoint(cluster, stats));
    endpoints.add(new RecoveryEndpoint(cluster, stats, clock));
    return new RestEndpoints(endpoints);
  }
}
