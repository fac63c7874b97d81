package io.varve.changes;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;

/**
 * The container factory {@value ChangeContainers#FACTORY} for listeners of an application, with the
 * brokers and the security of {@code spring.kafka.*}:
 *
 * <pre>
 *   &#64;KafkaListener(topics = "#{&#64;changeTopics.of('books')}", groupId = "audit",
 *                  containerFactory = "changes")
 *   void on(Change change) { … }
 * </pre>
 */
@AutoConfiguration(after = KafkaAutoConfiguration.class)
@ConditionalOnClass(KafkaAutoConfiguration.class)
@EnableConfigurationProperties(ChangeStreamProperties.class)
public class ChangeStreamAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  ChangeTopics changeTopics(ChangeStreamProperties properties) {
    return new ChangeTopics(properties.seeds());
  }

  @Bean
  @ConditionalOnMissingBean
  ChangeContainers changeContainers(
      KafkaProperties kafka,
      KafkaConnectionDetails connection,
      ChangeTopics topics,
      ChangeStreamProperties properties,
      ApplicationEventPublisher events) {
    var consumer = kafka.buildConsumerProperties();
    consumer.put("bootstrap.servers", connection.getConsumer().getBootstrapServers());
    String protocol = connection.getConsumer().getSecurityProtocol();
    if (protocol != null) {
      consumer.put("security.protocol", protocol);
    }
    ChangeContainers containers =
        new ChangeContainers(consumer, topics, properties.deletedCheckMillis());
    containers.onDeleted(topic ->
        events.publishEvent(
            new IndexDeletedEvent(containers, topics.name(topic.indexUuid()), topic)));
    return containers;
  }

  /** Uses the application's error handler, if there is one. */
  @Bean(ChangeContainers.FACTORY)
  @ConditionalOnMissingBean(name = ChangeContainers.FACTORY)
  ConcurrentKafkaListenerContainerFactory<byte[], byte[]> changes(
      ChangeContainers containers,
      ChangeStreamProperties properties,
      ObjectProvider<CommonErrorHandler> errors) {
    return containers.factory(properties.start(), errors.getIfUnique());
  }
}
