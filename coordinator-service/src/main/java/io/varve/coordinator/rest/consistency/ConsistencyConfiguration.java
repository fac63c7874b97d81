package io.varve.coordinator.rest.consistency;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.client.ShardClient;
import io.varve.client.consistency.KnownSeqNos;
import io.varve.client.consistency.PromiseMeters;
import io.varve.client.consistency.PromisedReads;
import io.varve.coordinator.rest.ClusterAccess;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires session tokens and promised reads. */
@Configuration(proxyBeanMethods = false)
public class ConsistencyConfiguration {

  @Bean
  KnownSeqNos knownSeqNos(ClusterAccess cluster) {
    return new KnownSeqNos(cluster);
  }

  @Bean
  PromiseMeters promiseMeters(ObjectProvider<MeterRegistry> meters) {
    return new PromiseMeters(meters.getIfAvailable(SimpleMeterRegistry::new));
  }

  @Bean
  PromisedReads promisedReads(
      ClusterAccess cluster, ShardClient client, KnownSeqNos known, PromiseMeters meters) {
    return new PromisedReads(cluster, client, known, meters);
  }

  @Bean
  Sessions sessions(ClusterAccess cluster) {
    return new Sessions(cluster);
  }
}
