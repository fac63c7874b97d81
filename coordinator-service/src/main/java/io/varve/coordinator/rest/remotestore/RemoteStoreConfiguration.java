package io.varve.coordinator.rest.remotestore;

import io.varve.client.CopyReader;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestEndpoints;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of the remote store. */
@Configuration(proxyBeanMethods = false)
public class RemoteStoreConfiguration {

  @Bean
  RestEndpoints remoteStoreEndpoints(ClusterAccess cluster, CopyReader stats, StoreReader store) {
    return new RestEndpoints(
        List.of(
            new RestoreEndpoint(cluster, store),
            new RemoteStoreStatsEndpoint(cluster, stats),
            new RemoteStoreMetadataEndpoint(cluster, store),
            new StoreGarbageEndpoint(store)));
  }
}
