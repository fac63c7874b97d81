package io.varve.coordinator.rest.document;

import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient;
import io.varve.client.consistency.PromiseMeters;
import io.varve.client.consistency.PromisedReads;
import io.varve.client.routing.CopySelector;
import io.varve.cluster.stats.NodeReport;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.consistency.ConsistencyConfiguration;
import io.varve.coordinator.rest.consistency.Sessions;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the endpoints that write and read documents. */
@Configuration(proxyBeanMethods = false)
@Import(ConsistencyConfiguration.class)
public class DocumentConfiguration {

  @Bean
  Visibility visibility(
      ClusterAccess cluster, ShardClient client, Parallel parallel, PromiseMeters meters) {
    return new Visibility(cluster, client, parallel, meters);
  }

  @Bean
  ReplicationPressure replicationPressure(ClusterAccess cluster, NodeReport report) {
    ReplicationPressure pressure = new ReplicationPressure(cluster);
    report.section("segment_replication_backpressure", pressure::stats);
    return pressure;
  }

  @Bean
  WriteRouter.Pressures writePressures(CoordinatingPressure bytes, ReplicationPressure replicas) {
    return new WriteRouter.Pressures(bytes, replicas);
  }

  @Bean(destroyMethod = "close")
  PrimaryCalls primaryCalls(ClusterAccess cluster) {
    return new PrimaryCalls(cluster);
  }

  @Bean
  WriteRouter writeRouter(
      ClusterAccess cluster,
      ShardClient client,
      PrimaryCalls calls,
      Parallel parallel,
      Visibility visibility,
      Tasks tasks,
      WriteRouter.Pressures pressures) {
    ShardWriter writer =
        new ShardWriter(
            new ShardWriter.Primaries(cluster, client, calls), parallel, visibility, tasks);
    return new WriteRouter(cluster, writer, tasks, pressures);
  }

  @Bean
  DocumentFetcher documentReader(
      ClusterAccess cluster,
      ShardClient client,
      CopySelector selector,
      PromisedReads reads,
      PrimaryCalls calls,
      Visibility visibility) {
    return new DocumentFetcher(cluster, client, selector, reads, calls, visibility);
  }

  @Bean
  ReplicationStates replicationStates(
      ClusterAccess cluster, ShardClient client, Parallel parallel) {
    return new ReplicationStates(cluster, client, parallel);
  }

  @Bean
  AutoIds autoIds() {
    return new AutoIds();
  }

  @Bean
  InnerWrites innerWrites(
      WriteRouter writes, Visibility visibility, Parallel parallel, AutoIds ids) {
    return new InnerWrites(writes, visibility, parallel, ids);
  }

  @Bean
  RestEndpoints documentEndpoints(
      WriteRouter writes,
      DocumentFetcher reader,
      AutoIds ids,
      Sessions sessions,
      Parallel parallel,
      ReplicationStates states) {
    List<RestEndpoint> endpoints = new ArrayList<>(WriteEndpoint.all(writes, ids, sessions));
    endpoints.add(new BulkEndpoint(writes, ids, sessions));
    endpoints.add(GetEndpoint.ofDocuments(reader, states));
    endpoints.add(GetEndpoint.ofSources(reader));
    endpoints.add(new MultiGetEndpoint(reader, parallel));
    return new RestEndpoints(endpoints);
  }
}
