package io.varve.coordinator;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.client.NodeHttp;
import io.varve.cluster.ClusterSecret;
import io.varve.cluster.ProcessCredentials;
import io.varve.cluster.RemoteAddresses;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.Topics;
import io.varve.coordinator.cluster.AppliedWait;
import io.varve.coordinator.cluster.BrokersForFollowers;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.cluster.CoordinatorSettings;
import io.varve.coordinator.cluster.CurrentState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.security.AuthorizedCluster;
import io.varve.http.KafkaMeters;
import io.varve.http.security.InternalConnector;
import io.varve.http.security.KafkaSecurityConfiguration;
import io.varve.log.kafka.ClientMetrics;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.net.http.HttpClient;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Beans that all features share: configuration properties, the Kafka log, and HTTP clients for data
 * nodes and for other clusters.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CoordinatorProperties.class)
@Import(KafkaSecurityConfiguration.class)
class CoordinatorConfiguration {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  @Bean
  CoordinatorSettings coordinatorSettings(CoordinatorProperties properties) {
    return properties.settings();
  }

  @Bean
  KafkaLogConfig kafkaLogConfig(CoordinatorProperties properties, KafkaLogConfig.Security kafka) {
    return properties.kafka().log(properties.nodeName()).withSecurity(kafka);
  }

  @Bean
  BrokersForFollowers brokersForFollowers(CoordinatorProperties properties) {
    return properties.kafka().forFollowers();
  }

  @Bean(destroyMethod = "close")
  KafkaMessageLog messageLog(KafkaLogConfig config, MeterRegistry meters) {
    ClientMetrics clients = new ClientMetrics();
    KafkaMeters.register(clients, meters);
    return new KafkaMessageLog(config, clients);
  }

  @Bean
  Topics topics(CoordinatorProperties properties) {
    return new Topics(properties.clusterName(), properties.kafka().replicationFactor());
  }

  @Bean(destroyMethod = "shutdownNow")
  HttpClient httpClient(ObjectProvider<ProcessCredentials> credentials) {
    return credentials
        .getIfAvailable(ProcessCredentials.None::new)
        .client(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT));
  }

  @Bean
  RemoteFiles remoteFiles(
      CoordinatorProperties properties,
      HttpClient http,
      ObjectProvider<ProcessCredentials> credentials) {
    return new RemoteFiles(
        properties.folderOfRemoteFiles(),
        http,
        RemoteAddresses.configured(
            properties.remoteAddresses(),
            credentials.getIfAvailable(ProcessCredentials.None::new)));
  }

  @Bean
  NodeHttp nodeHttp(ObjectProvider<ProcessCredentials> credentials, CoordinatorNode node) {
    return new NodeHttp(
        CONNECT_TIMEOUT,
        credentials.getIfAvailable(ProcessCredentials.None::new),
        node::disconnected);
  }

  @Bean
  ClusterAccess clusterAccess(
      CoordinatorNode node,
      AppliedWait applied,
      CurrentState current,
      ObjectProvider<ClusterSecret> secret) {
    ClusterAccess cluster = new NodeClusterAccess(node, applied, current);
    return secret.getIfAvailable() == null ? cluster : new AuthorizedCluster(cluster);
  }

  /** Starts the coordinator once its server listens, because its address is not known before. */
  @Bean
  ApplicationListener<WebServerInitializedEvent> startCoordinator(
      CoordinatorNode node,
      CoordinatorProperties properties,
      ObjectProvider<InternalConnector> internal) {
    return event ->
        node.start(
            InternalConnector.address(internal.getIfAvailable(), event)
                .url(properties.publishAddress(), properties.host()));
  }
}
