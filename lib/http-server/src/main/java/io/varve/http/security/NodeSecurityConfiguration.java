package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import java.io.IOException;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/**
 * Security of a service without users: everything but the check of its health needs the secret of
 * the cluster.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("varve.security.enabled")
@EnableConfigurationProperties(SecurityProperties.class)
public class NodeSecurityConfiguration {

  @Bean
  ClusterSecret clusterSecret(SecurityProperties properties) throws IOException {
    return Objects.requireNonNull(properties.clusterSecret());
  }

  /** Follows the measurement of times, which counts refusals too. */
  @Bean
  FilterRegistrationBean<ClusterSecretFilter> clusterSecretFilter(ClusterSecret secret) {
    FilterRegistrationBean<ClusterSecretFilter> registration =
        new FilterRegistrationBean<>(
            new ClusterSecretFilter(secret, ClusterSecretFilter::isHealthCheck));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return registration;
  }
}
