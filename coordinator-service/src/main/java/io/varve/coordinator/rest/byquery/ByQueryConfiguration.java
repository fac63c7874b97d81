package io.varve.coordinator.rest.byquery;

import io.varve.client.ShardClient;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.consistency.Sessions;
import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.coordinator.rest.search.HitPages;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoints;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the by-query operations. */
@Configuration(proxyBeanMethods = false)
public class ByQueryConfiguration {

  @Bean
  RestEndpoints byQueryEndpoints(
      ClusterAccess cluster,
      HitPages.Source source,
      InnerWrites writes,
      Tasks tasks,
      Sessions sessions,
      Parallel parallel,
      ShardClient shards,
      InstantSource restClock) {
    ByQueryRunner runner = new ByQueryRunner(cluster, source, writes, tasks, parallel);
    ByQueryLauncher launch = new ByQueryLauncher(runner, tasks, sessions);
    return new RestEndpoints(
        List.of(
            new ByQueryEndpoint(ByQueryKind.DELETE, launch),
            new ByQueryEndpoint(ByQueryKind.UPDATE, launch),
            new ReindexEndpoint(cluster, launch),
            new RereplicateEndpoint(cluster, shards, tasks, parallel, runner, restClock)));
  }
}
