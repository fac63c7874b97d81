package io.varve.http.internal;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.local.LocalNodes;
import io.varve.http.security.Peers;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the {@link InternalEndpoints} of all features of a service. */
@Configuration(proxyBeanMethods = false)
public class InternalRoutingConfiguration {

  @Bean
  ServletRegistrationBean<InternalServlet> internalServlet(
      ObjectProvider<InternalEndpoints> features,
      MeterRegistry meters,
      ObjectProvider<Peers> peers) {
    List<InternalEndpoints> all = features.stream().toList();
    List<InternalRoute> routes = all.stream().flatMap(one -> one.routes().stream()).toList();
    return new ServletRegistrationBean<>(
        new InternalServlet(
            new InternalRoutes(routes, meters, System::nanoTime, peers.getIfAvailable())),
        all.stream().map(one -> one.prefix() + "/*").toArray(String[]::new));
  }

  /** Nodes that share a process call each other without HTTP. */
  @Bean
  @ConditionalOnBooleanProperty("varve.one-process")
  ApplicationListener<ApplicationEvent> localListing(
      ServletRegistrationBean<InternalServlet> internal,
      @Value("${varve.host:127.0.0.1}") String host) {
    return new LocalListing(
        LocalNodes.OF_THIS_PROCESS, new LocalInternalNode(internal.getServlet().routes()), host);
  }
}
