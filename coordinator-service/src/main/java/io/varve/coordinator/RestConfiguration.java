package io.varve.coordinator;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.client.NodeHttp;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.HeapShare;
import io.varve.cluster.Topics;
import io.varve.cluster.stats.NodeReport;
import io.varve.coordinator.console.ConsoleConfiguration;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.RestProperties;
import io.varve.coordinator.rest.alias.AliasConfiguration;
import io.varve.coordinator.rest.byquery.ByQueryConfiguration;
import io.varve.coordinator.rest.cat.CatConfiguration;
import io.varve.coordinator.rest.ccr.CcrConfiguration;
import io.varve.coordinator.rest.ccr.FailbackLogs;
import io.varve.coordinator.rest.ccr.LeaseRemoval;
import io.varve.coordinator.rest.ccr.LoggedLeaseRemoval;
import io.varve.coordinator.rest.cluster.ClusterEndpointsConfiguration;
import io.varve.coordinator.rest.document.DocumentConfiguration;
import io.varve.coordinator.rest.document.PressureConfiguration;
import io.varve.coordinator.rest.index.IndexConfiguration;
import io.varve.coordinator.rest.mapping.MappingConfiguration;
import io.varve.coordinator.rest.remotestore.HttpStoreReader;
import io.varve.coordinator.rest.remotestore.RemoteStoreConfiguration;
import io.varve.coordinator.rest.remotestore.StoreReader;
import io.varve.coordinator.rest.search.SearchConfiguration;
import io.varve.coordinator.rest.shard.ShardClientConfiguration;
import io.varve.coordinator.rest.task.ClientConnections;
import io.varve.coordinator.rest.task.JettyConnection;
import io.varve.coordinator.rest.task.TaskConfiguration;
import io.varve.coordinator.rest.task.TaskedRequests;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.coordinator.rest.template.TemplateConfiguration;
import io.varve.log.MessageLog;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import io.varve.process.Parallel;
import io.varve.rest.InFlightRequests;
import io.varve.rest.RequestGuard;
import io.varve.rest.RequestRunner;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import io.varve.rest.UnreadableRequests;
import io.varve.rest.openapi.OpenApiEndpoint;
import io.varve.rest.route.AnyPath;
import io.varve.rest.route.RestFilters;
import io.varve.rest.route.RestRoutes;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Wires the REST dialect. Requires a {@link ClusterAccess} and an HTTP client; serves every bean
 * that is a {@link RestEndpoint}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RestProperties.class)
@Import({
  DocumentConfiguration.class,
  SearchConfiguration.class,
  MappingConfiguration.class,
  AliasConfiguration.class,
  ClusterEndpointsConfiguration.class,
  IndexConfiguration.class,
  PressureConfiguration.class,
  RemoteStoreConfiguration.class,
  ShardClientConfiguration.class,
  TemplateConfiguration.class,
  CatConfiguration.class,
  CcrConfiguration.class,
  TaskConfiguration.class,
  ByQueryConfiguration.class,
  ConsoleConfiguration.class
})
public class RestConfiguration {

  @Bean
  Parallel parallel() {
    return new Parallel();
  }

  @Bean
  InstantSource restClock() {
    return InstantSource.system();
  }

  @Bean
  LeaseRemoval leaseRemoval(MessageLog log, Topics topics) {
    return new LoggedLeaseRemoval(log, topics);
  }

  @Bean
  FailbackLogs failbackLogs(MessageLog log, Topics topics) {
    return new FailbackLogs(log, topics);
  }

  @Bean
  StoreReader storeReader(ClusterAccess cluster, NodeHttp http) {
    return new HttpStoreReader(cluster, http);
  }

  @Bean
  RestRoutes restRoutes(
      ObjectProvider<RestEndpoint> endpoints,
      ObjectProvider<RestEndpoints> groups,
      RestProperties properties,
      InFlightRequests inFlight,
      RequestRunner requests,
      ObjectProvider<RequestGuard> guard) {
    List<RestEndpoint> all =
        Stream.concat(
                endpoints.stream(), groups.stream().flatMap(group -> group.endpoints().stream()))
            .toList();
    return new RestRoutes(
        OpenApiEndpoint.describing(all),
        new RestFilters(
            properties.maxContentLength().toBytes(), inFlight, requests, guard.getIfAvailable()));
  }

  /**
   * A cancellation calls other nodes, so it must not run on the thread that watches connections.
   */
  @Bean(destroyMethod = "close")
  ClientConnections clientConnections(Tasks tasks) {
    return ClientConnections.looking(
        JettyConnection::of,
        (task, reason) -> Thread.startVirtualThread(() -> tasks.cancel(task, reason)));
  }

  @Bean
  RequestRunner requestRunner(NodeReport report, Tasks tasks, ClientConnections clients) {
    return new TaskedRequests(report.pools(), tasks, clients);
  }

  @Bean
  ParentBreaker parentBreaker(ClusterAccess cluster) {
    return new ParentBreaker(
        HeapShare.following(cluster::state, HeapShare::total),
        () -> ClusterSettings.flag(cluster.state(), ClusterSettings.TOTAL_BREAKER_REAL),
        HeapWatch.ofThisProcess());
  }

  @Bean
  InFlightRequests inFlightRequests(
      ClusterAccess cluster, ParentBreaker parent, NodeReport report) {
    InFlightRequests inFlight =
        new InFlightRequests(
            HeapShare.following(
                cluster::state, state -> HeapShare.bytes(state, ClusterSettings.IN_FLIGHT_BREAKER)),
            () -> ClusterSettings.number(cluster.state(), ClusterSettings.IN_FLIGHT_OVERHEAD),
            parent);
    report.section("breakers", inFlight::stats);
    return inFlight;
  }

  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> anyPath(MeterRegistry meters) {
    UnreadableRequests unreadable = new UnreadableRequests();
    unreadable.register(meters);
    return factory -> factory.addServerCustomizers(new AnyPath(unreadable));
  }
}
