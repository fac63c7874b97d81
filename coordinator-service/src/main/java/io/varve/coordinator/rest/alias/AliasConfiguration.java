package io.varve.coordinator.rest.alias;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of aliases. */
@Configuration(proxyBeanMethods = false)
public class AliasConfiguration {

  @Bean
  RestEndpoints aliasEndpoints(ClusterAccess cluster) {
    List<RestEndpoint> endpoints = new ArrayList<>(PutAliasEndpoint.all(cluster));
    endpoints.add(new GetAliasEndpoint(cluster));
    endpoints.add(new UpdateAliasesEndpoint(cluster));
    return new RestEndpoints(endpoints);
  }
}
