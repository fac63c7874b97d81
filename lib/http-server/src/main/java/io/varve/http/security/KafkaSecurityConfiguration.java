package io.varve.http.security;

import io.varve.log.kafka.KafkaLogConfig;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The security of the connections of a service to the brokers of its log. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaSecurityProperties.class)
public class KafkaSecurityConfiguration {

  @Bean
  KafkaLogConfig.Security kafkaSecurity(
      KafkaSecurityProperties properties,
      @Value("${" + TlsDefaults.FOLDER + ":#{null}}") @Nullable Path tlsFolder,
      @Value("${varve.security.shared-files:false}") boolean sharedFiles)
      throws IOException {
    return properties.of(tlsFolder, sharedFiles);
  }
}
