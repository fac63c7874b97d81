package io.varve.coordinator.rest.mapping;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.search.Counter;
import io.varve.rest.RestEndpoints;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints about fields and analysis. */
@Configuration(proxyBeanMethods = false)
public class MappingConfiguration {

  @Bean
  RestEndpoints mappingEndpoints(ClusterAccess cluster, Counter counter) {
    return new RestEndpoints(
        List.of(
            new AnalyzeEndpoint(cluster),
            new FieldMappingEndpoint(cluster),
            new FieldCapsEndpoint(cluster, counter)));
  }
}
