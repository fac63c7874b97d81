package io.varve.coordinator.rest.document;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestEndpoints;
import io.varve.coordinator.rest.search.CopySelector;
import io.varve.coordinator.rest.shard.ShardClient;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires writing and reading documents. */
@Configuration(proxyBeanMethods = false)
public class DocumentConfiguration {

  @Bean
  Visibility visibility(ClusterAccess cluster, ShardClient client, Parallel parallel) {
    return new Visibility(cluster, client, parallel);
  }

  @Bean
  WriteRouter writeRouter(
      ClusterAccess cluster, ShardClient client, Parallel parallel, Visibility visibility) {
    return new WriteRouter(cluster, client, parallel, visibility);
  }

  @Bean
  DocumentReader documentReader(
      ClusterAccess cluster, ShardClient client, CopySelector selector, Visibility visibility) {
    return new DocumentReader(cluster, client, selector, visibility);
  }

  @Bean
  AutoIds autoIds() {
    return new AutoIds();
  }

  @Bean
  InnerWrites innerWrites(
      WriteRouter writes, Visibility visibility, Parallel parallel, AutoIds ids) {
    return new InnerWrites(writes, visibility, parallel, ids);
  }

  @Bean
  RestEndpoints documentEndpoints(
      WriteRouter writes, DocumentReader reader, AutoIds ids, Parallel parallel) {
    List<RestEndpoint> endpoints = new ArrayList<>(WriteEndpoint.all(writes, ids));
    endpoints.add(new BulkEndpoint(writes, ids));
    endpoints.add(GetEndpoint.ofDocuments(reader));
    endpoints.add(GetEndpoint.ofSources(reader));
    endpoints.add(new MultiGetEndpoint(reader, parallel));
    return new RestEndpoints(endpoints);
  }
}
