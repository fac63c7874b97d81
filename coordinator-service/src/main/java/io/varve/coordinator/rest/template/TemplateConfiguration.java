package io.varve.coordinator.rest.template;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of templates. */
@Configuration(proxyBeanMethods = false)
public class TemplateConfiguration {

  @Bean
  RestEndpoints templateEndpoints(ClusterAccess cluster) {
    List<RestEndpoint> endpoints = new ArrayList<>(TemplateEndpoint.all(cluster));
    endpoints.addAll(SimulateEndpoint.all(cluster));
    return new RestEndpoints(endpoints);
  }
}
