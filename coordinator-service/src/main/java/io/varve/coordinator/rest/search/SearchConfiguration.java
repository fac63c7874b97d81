package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.RestEndpoints;
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
  SearchRouter searchRouter(ShardClient client, CopySelector selector, Parallel parallel) {
    return new SearchRouter(client, selector, parallel);
  }

  @Bean
  Counter documentCounter(ClusterAccess cluster, SearchRouter router, InstantSource restClock) {
    return new Counter(cluster, router, restClock);
  }

  @Bean
  RestEndpoints searchEndpoints(
      ClusterAccess cluster, SearchRouter router, Counter counter, InstantSource restClock) {
    return new RestEndpoints(
        List.of(
            new SearchEndpoint(cluster, router, restClock), new CountEndpoint(cluster, counter)));
  }
}
