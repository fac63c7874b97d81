package io.varve.coordinator.console;

import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.http.StopListener;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the console. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ConsoleProperties.class)
public class ConsoleConfiguration {

  @Bean(destroyMethod = "close")
  PictureStreams pictureStreams(
      ClusterAccess cluster,
      ClusterSelection selection,
      NodeGuards guards,
      ConsoleProperties properties) {
    return new PictureStreams(
        cluster,
        new ClusterPainter(cluster, selection, guards, properties.maxShards()),
        properties.maxStreams());
  }

  /** Streams have no end of their own. */
  @Bean
  StopListener endingStreams(PictureStreams streams) {
    return new StopListener() {
      @Override
      public void stopping() {
        streams.close();
      }
    };
  }

  @Bean
  ConsoleRoutes consoleRoutes(PictureStreams streams) {
    return new ConsoleRoutes(new ConsoleFiles(), streams);
  }
}
