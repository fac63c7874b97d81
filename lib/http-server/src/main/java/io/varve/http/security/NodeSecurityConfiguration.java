package io.varve.http.security;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Security of a service without users: only processes of the cluster may call its endpoints, except
 * for the health check.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("varve.security.enabled")
@Import(ProcessSecurityConfiguration.class)
public class NodeSecurityConfiguration {

  /** Ordered after the measurement of times, which also counts refusals. */
  @Bean
  FilterRegistrationBean<PeerFilter> peerFilter(Peers peers) {
    FilterRegistrationBean<PeerFilter> registration =
        new FilterRegistrationBean<>(new PeerFilter(peers, PeerFilter::isHealthCheck));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return registration;
  }
}
