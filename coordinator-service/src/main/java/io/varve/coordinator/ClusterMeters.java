package io.varve.coordinator;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.rest.cluster.Health;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Gauges {@code varve.cluster.*} of the cluster from this coordinator's point of view, computed
 * when they are read.
 */
final class ClusterMeters {

  private static final List<String> ROLES =
      List.of(
          NodeInfo.COORDINATOR, NodeInfo.PRIMARY, NodeInfo.REPLICA, NodeInfo.SEARCH, NodeInfo.CCR);

  private final CoordinatorNode node;

  ClusterMeters(CoordinatorNode node, MeterRegistry meters) {
    this.node = node;
    for (String role : ROLES) {
      Gauge.builder("varve.cluster.nodes", this, cluster -> cluster.nodes(role))
          .tag("role", role)
          .register(meters);
    }
    copies("active", Health::active, meters);
    copies("initializing", Health::initializing, meters);
    copies("unassigned", Health::unassigned, meters);
    gauge("varve.cluster.primaries.missing", ClusterMeters::missingPrimaries, meters);
    gauge("varve.cluster.leading", ClusterMeters::leading, meters);
    gauge("varve.cluster.log.silent.millis", c -> c.node.nodes().silentMillis(), meters);
    FunctionCounter.builder(
            "varve.cluster.copies.given.up", this, cluster -> cluster.node.copiesGivenUp())
        .register(meters);
    gauge("varve.cluster.state.version", cluster -> cluster.node.state().version(), meters);
    gauge("varve.cluster.feature.level", cluster -> cluster.node.state().featureLevel(), meters);
    gauge(
        "varve.cluster.log.records.since.snapshot",
        cluster -> cluster.node.view().schedule().records(),
        meters);
  }

  private void copies(String state, ToDoubleFunction<Health> count, MeterRegistry meters) {
    Gauge.builder("varve.cluster.copies", this, c -> count.applyAsDouble(c.health()))
        .tag("state", state)
        .register(meters);
  }

  private void gauge(String name, ToDoubleFunction<ClusterMeters> figure, MeterRegistry meters) {
    Gauge.builder(name, this, figure).register(meters);
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
