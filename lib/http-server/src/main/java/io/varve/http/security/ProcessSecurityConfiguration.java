package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import io.varve.cluster.ProcessCredentials;
import java.io.IOException;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Configures how the processes of a secured cluster authenticate each other: by certificates with
 * TLS, otherwise by the secret of the cluster.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("varve.security.enabled")
@EnableConfigurationProperties(SecurityProperties.class)
@Import(TlsConfiguration.class)
public class ProcessSecurityConfiguration {

  @Bean
  ClusterSecret clusterSecret(SecurityProperties properties) throws IOException {
    return Objects.requireNonNull(properties.clusterSecret());
  }

  @Bean
  @ConditionalOnMissingBean(Peers.class)
  Peers peersWithSecret(ClusterSecret secret, ObjectProvider<PeerRefusals> refusals) {
    return new Peers.Reporting(
        new Peers.WithSecret(secret), refusals.getIfAvailable(() -> PeerRefusals.UNRECORDED));
  }

  @Bean
  @ConditionalOnMissingBean(ProcessCredentials.class)
  ProcessCredentials secretCredentials(ClusterSecret secret) {
    return new ProcessCredentials.Secret(secret);
  }
}
