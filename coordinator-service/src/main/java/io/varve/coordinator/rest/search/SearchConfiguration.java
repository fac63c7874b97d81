package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.RestEndpoints;
import io.varve.coordinator.rest.shard.NodeClient;
import io.varve.coordinator.rest.shard.ShardClient;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires searching. */
@Configuration(proxyBeanMethods = false)
public class SearchConfiguration {

  @Bean
  CopySelector copySelector() {
    return new RoundRobinSelector();
  }

  @Bean
  SearchRouter searchRouter(CopySelector selector, Parallel parallel) {
    return new SearchRouter(selector, parallel);
  }

  @Bean
  Searches searches(
      ClusterAccess cluster,
      SearchRouter router,
      ShardClient client,
      NodeClient nodes,
      Parallel parallel,
      InstantSource restClock) {
    return new Searches(cluster, router, client, new ContextNodes(nodes, parallel), restClock);
  }

  @Bean
  Counter documentCounter(Searches searches) {
    return new Counter(searches);
  }

  @Bean
  RestEndpoints searchEndpoints(ClusterAccess cluster, Searches searches, Counter counter) {
    return new RestEndpoints(
        List.of(
            new SearchEndpoint(searches),
            new ScrollEndpoint(cluster, searches.scrolls()),
            new PitEndpoint(searches.pits()),
            new CountEndpoint(counter)));
  }
}
