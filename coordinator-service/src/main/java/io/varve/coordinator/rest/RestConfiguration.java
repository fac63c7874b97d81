package io.varve.coordinator.rest;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.HeapShare;
import io.varve.cluster.figures.NodeReport;
import io.varve.coordinator.rest.byquery.ByQueryConfiguration;
import io.varve.coordinator.rest.cat.CatConfiguration;
import io.varve.coordinator.rest.ccr.CcrConfiguration;
import io.varve.coordinator.rest.document.CoordinatingPressure;
import io.varve.coordinator.rest.document.DocumentConfiguration;
import io.varve.coordinator.rest.mapping.MappingConfiguration;
import io.varve.coordinator.rest.openapi.OpenApiEndpoint;
import io.varve.coordinator.rest.remotestore.HttpStoreReader;
import io.varve.coordinator.rest.remotestore.StoreReader;
import io.varve.coordinator.rest.search.SearchConfiguration;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.coordinator.rest.shard.HttpNodeClient;
import io.varve.coordinator.rest.shard.HttpNodeReports;
import io.varve.coordinator.rest.shard.HttpNodeThreads;
import io.varve.coordinator.rest.shard.HttpShardClient;
import io.varve.coordinator.rest.shard.NodeClient;
import io.varve.coordinator.rest.shard.NodeHttp;
import io.varve.coordinator.rest.shard.NodeReader;
import io.varve.coordinator.rest.shard.NodeThreads;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.task.TaskConfiguration;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.ee11.servlet.ServletHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Wires the REST dialect. Needs a {@link ClusterAccess} and an {@link HttpClient}; any bean that is
 * a {@link RestEndpoint} is served.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({RestProperties.class, PressureProperties.class})
@Import({
  DocumentConfiguration.class,
  SearchConfiguration.class,
  MappingConfiguration.class,
  AdminConfiguration.class,
  CatConfiguration.class,
  CcrConfiguration.class,
  TaskConfiguration.class,
  ByQueryConfiguration.class
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
  ShardClient shardClient(NodeHttp http, ParentBreaker memory) {
    return new HttpShardClient(http, size -> memory.newArray(size, "<search_answer>"));
  }

  @Bean
  NodeClient nodeClient(NodeHttp http) {
    return new HttpNodeClient(http);
  }

  @Bean
  NodeReader nodeReader(NodeHttp http, Parallel parallel) {
    return new NodeReader(new HttpNodeReports(http), parallel);
  }

  @Bean
  NodeThreads nodeThreads(NodeHttp http) {
    return new HttpNodeThreads(http);
  }

  @Bean
  StoreReader storeReader(ClusterAccess cluster, NodeHttp http) {
    return new HttpStoreReader(cluster, http);
  }

  @Bean
  CopyReader copyStatsReader(ShardClient client, Parallel parallel) {
    return new CopyReader(client, parallel);
  }

  @Bean
  RestDispatcher restDispatcher(
      ObjectProvider<RestEndpoint> endpoints,
      ObjectProvider<RestEndpoints> groups,
      RestProperties properties,
      InFlightRequests inFlight,
      Tasks tasks,
      NodeReport report,
      ClientConnections clients) {
    List<RestEndpoint> all =
        Stream.concat(
                endpoints.stream(), groups.stream().flatMap(group -> group.endpoints().stream()))
            .toList();
    return new RestDispatcher(
        OpenApiEndpoint.describing(all),
        properties.maxContentLength().toBytes(),
        inFlight,
        tasks,
        report.pools(),
        clients);
  }

  /** Cancelling asks other nodes, which the one who looks at connections must not wait for. */
  @Bean(destroyMethod = "close")
  ClientConnections clientConnections(Tasks tasks) {
    return ClientConnections.looking(
        JettyConnection::of,
        (task, reason) -> Thread.startVirtualThread(() -> tasks.cancel(task, reason)));
  }

  @Bean
  ParentBreaker parentBreaker(ClusterAccess cluster) {
    return new ParentBreaker(
        () -> HeapShare.total(cluster.state()),
        () -> ClusterSettings.flag(cluster.state(), ClusterSettings.TOTAL_BREAKER_REAL),
        HeapWatch.ofThisProcess());
  }

  @Bean
  InFlightRequests inFlightRequests(
      ClusterAccess cluster, ParentBreaker parent, NodeReport report) {
    InFlightRequests inFlight =
        new InFlightRequests(
            () -> HeapShare.bytes(cluster.state(), ClusterSettings.IN_FLIGHT_BREAKER),
            () -> ClusterSettings.number(cluster.state(), ClusterSettings.IN_FLIGHT_OVERHEAD),
            parent);
    report.section("breakers", inFlight::figures);
    return inFlight;
  }

  @Bean
  CoordinatingPressure coordinatingPressure(
      PressureProperties properties, NodeReport report, MeterRegistry meters) {
    CoordinatingPressure pressure = new CoordinatingPressure(properties.indexingPressureBytes());
    report.section("indexing_pressure", pressure::figures);
    report.pools().of("write").rejections(pressure::rejections);
    FunctionCounter.builder(
            "varve.coordinating.rejections", pressure, CoordinatingPressure::rejections)
        .register(meters);
    Gauge.builder("varve.coordinating.pressure.bytes", pressure, CoordinatingPressure::currentBytes)
        .strongReference(true)
        .register(meters);
    return pressure;
  }

  @Bean
  FilterRegistrationBean<RestFilter> restFilter(RestDispatcher dispatcher) {
    FilterRegistrationBean<RestFilter> registration =
        new FilterRegistrationBean<>(new RestFilter(dispatcher));
    registration.addUrlPatterns("/*");
    // Behind the filter that measures requests, which is one above the highest.
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
    return registration;
  }

  /** Ids and index expressions may hold any character, percent-encoded slashes too. */
  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> anyPath() {
    return factory -> factory.addServerCustomizers(RestConfiguration::allowAnyPath);
  }

  private static void allowAnyPath(Server server) {
    server.setErrorHandler(new UnreadableRequests());
    for (Connector connector : server.getConnectors()) {
      HttpConfiguration.ConnectionFactory factory =
          connector.getConnectionFactory(HttpConfiguration.ConnectionFactory.class);
      if (factory != null) {
        HttpConfiguration http = factory.getHttpConfiguration();
        http.setUriCompliance(UriCompliance.LEGACY);
        http.setSendServerVersion(false);
      }
    }
    for (ServletHandler handler : server.getDescendants(ServletHandler.class)) {
      handler.setDecodeAmbiguousURIs(true);
    }
  }
}
