package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.HeapShare;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.ProcessCredentials;
import io.varve.cluster.Topics;
import io.varve.cluster.stats.HotThreadsSampler;
import io.varve.cluster.stats.NodeReport;
import io.varve.engine.EngineConfig;
import io.varve.engine.fielddata.FielddataMemory;
import io.varve.host.CopyFactory;
import io.varve.host.NodeContext;
import io.varve.host.NodeLimits;
import io.varve.host.NodeSettings;
import io.varve.host.RestingCopies;
import io.varve.host.ShardNode;
import io.varve.host.http.CallerGate;
import io.varve.host.http.CopyEndpoints;
import io.varve.host.http.FolderRoutes;
import io.varve.host.http.KnownState;
import io.varve.host.http.NodeRoutes;
import io.varve.host.http.ReadGate;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.host.http.ShardRoutes;
import io.varve.host.http.SnapshotEndpoints;
import io.varve.host.search.NodeCaches;
import io.varve.host.search.NodeTasks;
import io.varve.host.search.ReaderContexts;
import io.varve.host.search.RequestCache;
import io.varve.host.search.SearchHandler;
import io.varve.host.search.SearchRoutes;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.KafkaMeters;
import io.varve.http.MemberConfiguration;
import io.varve.http.MetricsProperties;
import io.varve.http.StopListener;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoutingConfiguration;
import io.varve.http.security.InternalConnector;
import io.varve.http.security.KafkaSecurityConfiguration;
import io.varve.http.security.NodeSecurityConfiguration;
import io.varve.http.security.PeerRefusals;
import io.varve.log.kafka.ClientMetrics;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.process.Ticker;
import io.varve.store.StoreAccess;
import io.varve.store.TransferLane;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Wires a node. A service adds its {@link NodeRole}, and {@link CopiesConfiguration} if the node
 * holds copies.
 */
@Configuration(proxyBeanMethods = false)
@Import({
  HttpServerConfiguration.class,
  InternalRoutingConfiguration.class,
  NodeSecurityConfiguration.class,
  KafkaSecurityConfiguration.class,
  AuditConfiguration.class,
  MemberConfiguration.class,
  NodeSearchConfiguration.class
})
@EnableConfigurationProperties({NodeProperties.class, StoreProperties.class})
public class NodeConfiguration {

  @Bean(destroyMethod = "close")
  ShardNode shardNode(
      NodeProperties properties,
      NodeRole role,
      StoreProperties store,
      Function<NodeContext, CopyFactory> factory,
      ObjectProvider<ProcessCredentials> credentials,
      KafkaLogConfig.Security kafka,
      MeterRegistry meters,
      ObjectProvider<NodeLimits> limits)
      throws IOException {
    // A new node takes the id in its certificate, so the certificate is read first.
    ProcessCredentials own = credentials.getIfAvailable(ProcessCredentials.None::new);
    String name = properties.nameOr(role);
    NodeIdentity identity =
        NodeIdentity.open(properties.data(), name, role.orConfigured(properties.node().roles()))
            .with(store.announced(properties.node().attr()));
    NodeSettings settings = properties.settings(own);
    ClientMetrics clients = new ClientMetrics();
    KafkaMeters.register(clients, meters);
    return new ShardNode(
        identity,
        settings.with(limits.getIfAvailable(settings::limits)),
        new KafkaMessageLog(properties.kafka().log(name).withSecurity(kafka), clients),
        new Topics(properties.clusterName(), properties.kafka().replicationFactor()),
        factory);
  }

  /** The node's address is known once the server listens. */
  @Bean
  ApplicationListener<WebServerInitializedEvent> startNode(
      ShardNode node, NodeProperties properties, ObjectProvider<InternalConnector> internal) {
    return event ->
        node.start(
            InternalConnector.address(internal.getIfAvailable(), event)
                .url(properties.publishAddress(), properties.host()));
  }

  /** When the time is over, copies that close answer the requests that still wait. */
  @Bean
  StopListener leavingNode(ShardNode node) {
    return new StopListener() {
      @Override
      public void stopping() {
        node.leave();
      }

      @Override
      public void ending() {
        node.host().close();
      }
    };
  }

  @Bean
  InternalEndpoints shardRoutes(
      ShardNode node,
      ObjectProvider<ShardEndpoints> features,
      MeterRegistry meters,
      NodeReport report,
      ObjectProvider<PeerRefusals> refusals) {
    CallerGate callers =
        new CallerGate(node.context(), refusals.getIfAvailable(() -> PeerRefusals.UNRECORDED));
    ReadGate reads = new ReadGate(meters, System::nanoTime);
    return new ShardRoutes(
            node.host(),
            report.pools(),
            new RestingCopies(node.context())::answer,
            node.host()::damaged)
        .of(
            callers.before(
                new KnownState(node.context().cluster())
                    .before(reads.before(ShardEndpoints.all(features.stream())))));
  }

  @Bean
  ShardEndpoints copyEndpoints(ShardNode node, NodeTasks tasks, NodeProperties properties) {
    NodeContext context = node.context();
    Map<String, ShardEndpoint> endpoints =
        new HashMap<>(
            new CopyEndpoints(properties.writeTimeoutMillis(), System::nanoTime).byName());
    endpoints.computeIfPresent("POST merge", (_, merge) -> KnownState.before(context, merge));
    endpoints.put(
        "POST reencode",
        KnownState.before(
            context,
            tasks.stopped(
                "indices:admin/reencode[s]", context::indexName, CopyEndpoints::reencode)));
    return () -> endpoints;
  }

  @Bean
  ShardEndpoints snapshotEndpoints() {
    return new SnapshotEndpoints();
  }

  /**
   * The node is looked up lazily: its copies depend on these breakers, and their limits depend on
   * the cluster state that the node knows.
   */
  @Bean
  NodeBreakers nodeBreakers(ObjectProvider<ShardNode> node) {
    return NodeBreakers.of(node::getObject);
  }

  @Bean
  FielddataMemory fielddataMemory(NodeBreakers breakers) {
    return new FielddataMemory(breakers.fields());
  }

  @Bean
  NodeCaches nodeCaches(RequestCache requests, FielddataMemory fields) {
    return new NodeCaches(requests, fields);
  }

  @Bean
  NodeReport nodeReport(NodeProperties properties) {
    return new NodeReport(properties.data(), InstantSource.system());
  }

  @Bean
  RequestCache requestCache(ShardNode node) {
    return new RequestCache(() ->
        HeapShare.bytes(node.context().cluster().current(), ClusterSettings.REQUEST_CACHE_SIZE));
  }

  @Bean
  InternalEndpoints searchRoutes(ReaderContexts contexts, NodeTasks tasks, SearchHandler handler) {
    return SearchRoutes.of(contexts, tasks, handler);
  }

  @Bean
  InternalEndpoints nodeRoutes(ShardNode node, NodeReport report) {
    report.pools().of("write").by(node.applying());
    report.pools().of("refresh").with(node.context().applying().refreshes());
    report.infoSection(
        "total_indexing_buffer_in_bytes",
        () -> node.host().copies().size() * ((long) EngineConfig.DEFAULT_BUFFER_MEGABYTES << 20));
    return NodeRoutes.of(node::heartbeat, report, new HotThreadsSampler(InstantSource.system()));
  }

  @Bean
  InternalEndpoints folderRoutes(ShardNode node) {
    return FolderRoutes.of(node.context(), node.host());
  }

  @Bean
  NodeStore nodeStore(StoreProperties properties, MeterRegistry meters) {
    StoreAccess access =
        properties.access(
            InstantSource.system(),
            store ->
                new MeteredStore(
                    GuardedStore.of(store, properties, meters), meters, Ticker.SYSTEM));
    if (access != null) {
      LaneMeters.register(access.budget(), Set.of(TransferLane.UPLOAD), meters);
    }
    return new NodeStore(access);
  }

  @Bean
  CopyMeters copyMeters(ShardNode node, MeterRegistry meters, MetricsProperties properties) {
    RefreshTurnMeters.register(node.context().applying().refreshes(), meters);
    return new CopyMeters(node.host(), meters, node.context(), properties.copies());
  }
}
