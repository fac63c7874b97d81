package io.varve.coordinator;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.NodeInfo;
import io.varve.control.FaultDetection;
import io.varve.control.MemberChecks;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.rest.cluster.Health;
import io.varve.coordinator.rest.document.ReplicationPressure;
import io.varve.metrics.Metric;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Metrics of the cluster from this coordinator's point of view, computed when they are read. */
final class ClusterMeters {

  static final Metric NODES =
      Metric.gauge(
          "varve.cluster.nodes",
          "Members with the role: `coordinator`, `primary`, `replica`, `search`, `ccr`",
          "role");
  static final Metric COPIES =
      Metric.gauge(
          "varve.cluster.copies",
          "Copies of all indices: `active`, `initializing`, `unassigned`",
          "state");
  static final Metric PRIMARIES_MISSING =
      Metric.gauge(
          "varve.cluster.primaries.missing",
          "Shards without a started primary, which accept no writes");
  static final Metric LEADING =
      Metric.gauge(
          "varve.cluster.leading",
          "1 on the leading coordinator while it receives records from the log; the sum over all"
              + " coordinators is 1");
  static final Metric LOG_SILENT =
      Metric.gauge(
          "varve.cluster.log.silent.seconds",
          "Time since any node's heartbeat was read; less than a second while Kafka answers");
  static final Metric GIVEN_UP =
      Metric.counter(
          "varve.cluster.copies.given.up",
          "Copies that lagged for longer than `segrep.replication.time.limit` and are rebuilt;"
              + " counted on the leader, so aggregate with `sum`");
  static final Metric SUSPECTED =
      Metric.counter(
          "varve.cluster.nodes.suspected",
          "Suspicions that a node has ended, because a connection was refused or broke"
              + " (`disconnected`) or its heartbeats are `silent`; counted on the leader, so aggregate"
              + " with `sum`",
          "sign");
  static final Metric REMOVED =
      Metric.counter(
          "varve.cluster.nodes.removed",
          "Removed nodes: `refused` if their address refused connections and their heartbeats"
              + " stopped, `silent` if they sent no heartbeat for `varve.node.timeout-millis`;"
              + " counted on the leader, so aggregate with `sum`",
          "sign");
  static final Metric STATE_VERSION =
      Metric.gauge(
          "varve.cluster.state.version",
          "Version of the cluster state; equal on all coordinators within moments");
  static final Metric FEATURE_LEVEL =
      Metric.gauge("varve.cluster.feature.level", "The cluster's feature level (ADR 28)");
  static final Metric RECORDS_SINCE_SNAPSHOT =
      Metric.gauge(
          "varve.cluster.log.records.since.snapshot",
          "Records accepted in the cluster log since its newest snapshot; far above"
              + " `cluster.log.snapshot.records` if no snapshot is written");
  static final Metric PRESSURE_REJECTIONS =
      Metric.counter(
          "varve.replication.pressure.rejections",
          "Batches of writes rejected with 429 because too many replicas of the shard lag"
              + " (`segrep.pressure.*`); aggregate with `sum`");

  private static final List<String> ROLES =
      List.of(
          NodeInfo.COORDINATOR, NodeInfo.PRIMARY, NodeInfo.REPLICA, NodeInfo.SEARCH, NodeInfo.CCR);

  private static final String SILENT = "silent";
  private static final double MILLIS_PER_SECOND = 1000;

  private final CoordinatorNode node;

  ClusterMeters(CoordinatorNode node, ReplicationPressure pressure, MeterRegistry meters) {
    this.node = node;
    for (String role : ROLES) {
      NODES.register(meters, this, cluster -> cluster.nodes(role), role);
    }
    copies("active", Health::active, meters);
    copies("initializing", Health::initializing, meters);
    copies("unassigned", Health::unassigned, meters);
    PRIMARIES_MISSING.register(meters, this, ClusterMeters::missingPrimaries);
    LEADING.register(meters, this, ClusterMeters::leading);
    LOG_SILENT.register(
        meters, node, coordinator -> coordinator.nodes().silentMillis() / MILLIS_PER_SECOND);
    GIVEN_UP.register(meters, node, CoordinatorNode::copiesGivenUp);
    detection(node.checks(), meters);
    STATE_VERSION.register(meters, node, coordinator -> coordinator.state().version());
    FEATURE_LEVEL.register(meters, node, coordinator -> coordinator.state().featureLevel());
    RECORDS_SINCE_SNAPSHOT.register(
        meters, node, coordinator -> coordinator.view().schedule().records());
    PRESSURE_REJECTIONS.register(meters, pressure, ReplicationPressure::rejections);
  }

  private static void detection(MemberChecks checks, MeterRegistry meters) {
    SUSPECTED.register(
        meters, checks, c -> c.suspicions(FaultDetection.Cause.DISCONNECTED), "disconnected");
    SUSPECTED.register(meters, checks, c -> c.suspicions(FaultDetection.Cause.SILENT), SILENT);
    REMOVED.register(meters, checks, MemberChecks::refusedRemovals, "refused");
    REMOVED.register(meters, checks, MemberChecks::silentRemovals, SILENT);
  }

  private void copies(String state, ToDoubleFunction<Health> count, MeterRegistry meters) {
    COPIES.register(meters, this, cluster -> count.applyAsDouble(cluster.health()), state);
  }

  private long nodes(String role) {
    return node.state().nodes().values().stream().filter(n -> n.has(role)).count();
  }

  /**
   * Returns 1 if this coordinator leads. A leader that cannot read the log does not count, because
   * it cannot make decisions.
   */
  private double leading() {
    return node.isLeading() && node.hearsTheLog() ? 1 : 0;
  }

  private Health health() {
    return Health.of(node.state(), node.state().indices().values());
  }

  private double missingPrimaries() {
    int shards =
        node.state().indices().values().stream().mapToInt(index -> index.shards().size()).sum();
    return shards - health().primaries();
  }
}
