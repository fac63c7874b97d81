package io.varve.shard.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.stats.NodeReport;
import io.varve.host.CopyFactory;
import io.varve.host.CopyKind;
import io.varve.host.LeaderRecovery;
import io.varve.host.NodeContext;
import io.varve.host.PeerRecovery;
import io.varve.host.ShardNode;
import io.varve.host.StoreRecovery;
import io.varve.host.http.CopyCalls;
import io.varve.host.http.KnownState;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.host.search.NodeTasks;
import io.varve.host.search.ShardSearches;
import io.varve.host.spring.NodeBreakers;
import io.varve.host.spring.NodeProperties;
import io.varve.host.spring.NodeStore;
import io.varve.http.MetricsProperties;
import io.varve.http.internal.InternalCallTimes;
import io.varve.http.internal.InternalEndpoints;
import io.varve.metrics.Metric;
import io.varve.process.Ticker;
import io.varve.shard.http.LeaseEndpoint;
import io.varve.shard.http.NodeBulks;
import io.varve.shard.http.PartWrites;
import io.varve.shard.http.ReplicationEndpoints;
import io.varve.shard.http.StoreRoutes;
import io.varve.shard.http.WriteEndpoints;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import io.varve.shard.remote.RemoteStore;
import io.varve.shard.remote.StoreJanitor;
import io.varve.shard.replicated.Rereplications;
import io.varve.shard.retention.FollowerLeases;
import io.varve.store.StoreAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * Adds primaries to a process that hosts copies: the kind of copy, the endpoints that only a
 * primary answers, and the clean-up of the segment store.
 */
@AutoConfiguration
@ConditionalOnBean(ShardNode.class)
public class PrimaryConfiguration {

  static final Metric WRITE_PRESSURE =
      Metric.gauge(
          "varve.write.pressure.bytes", "Bytes of writes in flight on this node's primaries");
  static final Metric WRITE_REJECTIONS =
      Metric.counter(
          "varve.write.rejections",
          "Writes rejected with 429 because bytes in flight exceeded"
              + " `varve.indexing-pressure-bytes`");
  static final Metric DELETED_OBJECTS =
      Metric.counter(
          "varve.store.deleted.objects",
          "Objects of deleted indices that this node deleted from the store; one of the nodes that"
              + " share a store does this");
  static final Metric DELETED_BYTES =
      Metric.counter(
          "varve.store.deleted.bytes",
          "Bytes of deleted indices that this node deleted from the store");

  /** The primaries of a node; they share one limit of bytes in flight and one segment store. */
  private record Primaries(
      MeterRegistry meters,
      MetricsProperties metrics,
      NodeReport report,
      @Nullable RemoteStore remote,
      PeerRecovery peers,
      LeaderRecovery leader)
      implements CopyKind {

    @Override
    public boolean primary() {
      return true;
    }

    @Override
    public CopyFactory on(NodeContext node) {
      WritePressure pressure = new WritePressure(node.settings().pressureBytes());
      measure(pressure, meters);
      report.section("indexing_pressure", pressure::stats);
      report.pools().of("write").rejections(pressure::rejections);
      PrimaryCopy.OfNode shared = new PrimaryCopy.OfNode(pressure, rereplications(node));
      return (context, _, term) -> new PrimaryCopy(context, term, shared, remote, peers, leader);
    }

    private Rereplications rereplications(NodeContext node) {
      Rereplications rereplications = new Rereplications(node.clock());
      report.section("rereplication", () -> rereplications.section(node::indexName));
      rereplications.start(
          node, new ReplicationMeters(rereplications, node, meters, metrics.copies())::renew);
      return rereplications;
    }
  }

  /** Copies segments in the way of a replica, if this process can hold replicas. */
  @Bean
  CopyKind primaries(
      NodeStore store,
      ObjectProvider<StoreRecovery> fromStore,
      ObjectProvider<PeerRecovery> fromPeers,
      ObjectProvider<LeaderRecovery> fromLeader,
      MeterRegistry meters,
      MetricsProperties metrics,
      NodeReport report) {
    StoreAccess access = store.access();
    RemoteStore remote =
        access == null
            ? null
            : new RemoteStore(access, fromStore.getIfAvailable(() -> StoreRecovery.NONE));
    return new Primaries(
        meters,
        metrics,
        report,
        remote,
        fromPeers.getIfAvailable(() -> PeerRecovery.NONE),
        fromLeader.getIfAvailable(() -> LeaderRecovery.NONE));
  }

  private static void measure(WritePressure pressure, MeterRegistry meters) {
    WRITE_REJECTIONS.register(meters, pressure, WritePressure::rejections);
    WRITE_PRESSURE.register(meters, pressure, WritePressure::currentBytes);
  }

  @Bean
  ShardEndpoints writeEndpoints(
      ShardNode node,
      NodeTasks tasks,
      NodeProperties properties,
      NodeBreakers breakers,
      ShardSearches searches) {
    Map<String, ShardEndpoint> endpoints =
        new HashMap<>(
            new WriteEndpoints(
                    properties.writeTimeoutMillis(), new KnownState(node.context().cluster()))
                .byName());
    endpoints.computeIfPresent(
        "POST bulk",
        (_, bulk) ->
            tasks.shown(
                PartWrites.ACTION,
                node.context()::indexName,
                (copy, rest, request, response) -> {
                  breakers.parent().check("<bulk>");
                  bulk.handle(copy, rest, request, response);
                }));
    endpoints.put("GET leases", new LeaseEndpoint(new FollowerLeases(node.context())));
    endpoints.putAll(
        new ReplicationEndpoints(
                searches::matching, Duration.ofMillis(properties.writeTimeoutMillis()))
            .byName());
    return () -> endpoints;
  }

  @Bean
  InternalEndpoints nodeBulks(
      ShardNode node,
      NodeTasks tasks,
      NodeProperties properties,
      NodeBreakers breakers,
      MeterRegistry meters,
      NodeReport report) {
    CopyCalls calls =
        new CopyCalls(
            node.host(),
            report.pools(),
            node.host()::damaged,
            new InternalCallTimes(meters, Ticker.SYSTEM::nanos));
    return new NodeBulks(
            calls,
            new PartWrites(
                tasks, node.context()::indexName, new KnownState(node.context().cluster())),
            () -> breakers.parent().check("<bulk>"),
            properties.writeTimeoutMillis())
        .endpoints();
  }

  @Bean
  InternalEndpoints storeRoutes(ShardNode node, NodeStore store, MeterRegistry meters) {
    StoreAccess access = store.access();
    StoreJanitor janitor = access == null ? null : new StoreJanitor(node.context(), access);
    if (janitor != null) {
      DELETED_OBJECTS.register(meters, janitor, StoreJanitor::objects);
      DELETED_BYTES.register(meters, janitor, StoreJanitor::bytes);
    }
    return StoreRoutes.of(access, janitor);
  }
}
