package io.varve.node.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.Topics;
import io.varve.cluster.figures.NodeReport;
import io.varve.cluster.figures.Traffic;
import io.varve.engine.EngineConfig;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.node.CopyFactory;
import io.varve.node.NodeContext;
import io.varve.node.RestingCopies;
import io.varve.node.ShardNode;
import io.varve.node.http.CopyEndpoints;
import io.varve.node.http.NodeServlet;
import io.varve.node.http.ShardEndpoint;
import io.varve.node.http.ShardServlet;
import io.varve.node.replica.SegmentTransfers;
import io.varve.node.replica.SnapshotEndpoints;
import io.varve.node.search.NodeTasks;
import io.varve.node.search.RequestCache;
import io.varve.node.search.SearchesServlet;
import io.varve.node.search.ShardSearches;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.jetty.io.ConnectionStatistics;
import org.eclipse.jetty.server.Connector;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires a node; a service adds its {@link NodeRole} and how its copies are made. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({NodeProperties.class, TransferProperties.class})
public class NodeConfiguration {

  @Bean(destroyMethod = "close")
  ShardNode shardNode(
      NodeProperties properties, NodeRole role, Function<NodeContext, CopyFactory> factory)
      throws IOException {
    String name = properties.nodeName() == null ? role.name() : properties.nodeName();
    NodeIdentity identity =
        NodeIdentity.open(properties.data(), name, role.roles()).with(properties.node().attr());
    return new ShardNode(
        identity,
        properties.settings(),
        new KafkaMessageLog(KafkaLogConfig.of(properties.kafka().bootstrapServers(), name)),
        new Topics(properties.clusterName(), properties.kafka().replicationFactor()),
        factory);
  }

  /** The node's address is known once the server listens. */
  @Bean
  ApplicationListener<WebServerInitializedEvent> startNode(
      ShardNode node, NodeProperties properties) {
    return event ->
        node.start("http://" + properties.host() + ":" + event.getWebServer().getPort());
  }

  @Bean
  ServletRegistrationBean<ShardServlet> shardServlet(
      ShardNode node,
      NodeTasks tasks,
      RequestCache cache,
      NodeProperties properties,
      MeterRegistry meters,
      NodeReport report) {
    Map<String, ShardEndpoint> endpoints =
        new HashMap<>(new CopyEndpoints(properties.writeTimeoutMillis()).byName());
    endpoints.putAll(
        new ShardSearches(node.context().cluster(), node.contexts(), tasks, cache).byName());
    endpoints.putAll(SnapshotEndpoints.ofPrimaries().byName());
    return new ServletRegistrationBean<>(
        new ShardServlet(
            node.host()::copy,
            endpoints,
            meters,
            report.pools(),
            new RestingCopies(node.context())::answer),
        "/_internal/shards/*");
  }

  @Bean
  NodeReport nodeReport(NodeProperties properties) {
    return new NodeReport(properties.data(), InstantSource.system());
  }

  /** Connections and their bytes, as the server counts them. */
  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> countedConnections(NodeReport report) {
    return factory ->
        factory.addServerCustomizers(server -> {
          ConnectionStatistics counts = new ConnectionStatistics();
          for (Connector connector : server.getConnectors()) {
            connector.addBean(counts);
          }
          report.server(() ->
              new Traffic.Server(
                  counts.getConnections(),
                  counts.getConnectionsTotal(),
                  counts.getReceivedMessages(),
                  counts.getSentMessages(),
                  counts.getReceivedBytes(),
                  counts.getSentBytes()));
        });
  }

  @Bean
  RequestCache requestCache(ShardNode node) {
    return new RequestCache(() ->
        ClusterSettings.requestCacheBytes(
            node.context().cluster().current(), Runtime.getRuntime().maxMemory()));
  }

  @Bean
  NodeTasks nodeTasks() {
    return new NodeTasks(InstantSource.system());
  }

  @Bean
  ServletRegistrationBean<SearchesServlet> searchesServlet(ShardNode node, NodeTasks tasks) {
    return new ServletRegistrationBean<>(
        new SearchesServlet(node.contexts(), tasks), "/_internal/searches/*");
  }

  @Bean
  ServletRegistrationBean<NodeServlet> nodeServlet(ShardNode node, NodeReport report) {
    report.pools().of("write").by(node.applying());
    report.infoSection(
        "total_indexing_buffer_in_bytes",
        () -> node.host().copies().size() * ((long) EngineConfig.DEFAULT_BUFFER_MEGABYTES << 20));
    return new ServletRegistrationBean<>(
        new NodeServlet(node::heartbeat, report), "/_internal/node", "/_internal/node/*");
  }

  /** How this node's replicas fetch segments. */
  @Bean
  SegmentTransfers segmentTransfers(TransferProperties properties) {
    return properties.transfers();
  }

  @Bean
  CopyMeters copyMeters(ShardNode node, MeterRegistry meters) {
    return new CopyMeters(node.host(), meters, node.context());
  }
}
