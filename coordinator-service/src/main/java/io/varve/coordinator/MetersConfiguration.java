package io.varve.coordinator;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.client.routing.RetryBudget;
import io.varve.client.routing.SelectionMeters;
import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.Topics;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.document.ReplicationPressure;
import io.varve.http.MetricsProperties;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.metrics.BreakerMeters;
import io.varve.process.SteadyTimer;
import io.varve.process.Ticker;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the metrics of a coordinator. */
@Configuration(proxyBeanMethods = false)
class MetersConfiguration {

  /** Updates the metrics of rows, until it is closed. */
  static final class Rounds implements AutoCloseable {

    private static final long BROKERS_SECONDS = 10;

    private final ScheduledExecutorService timer = SteadyTimer.virtual("coordinator-meters");
    private final AtomicBoolean asking = new AtomicBoolean();

    /**
     * @param fromHere called every second
     * @param fromBrokers called each {@value #BROKERS_SECONDS} s, on its own thread, because
     *     brokers may take long to answer
     */
    Rounds(Runnable fromHere, Runnable fromBrokers) {
      var _ = timer.scheduleWithFixedDelay(fromHere, 1, 1, TimeUnit.SECONDS);
      var _ =
          timer.scheduleWithFixedDelay(
              () -> ask(fromBrokers), BROKERS_SECONDS, BROKERS_SECONDS, TimeUnit.SECONDS);
    }

    private void ask(Runnable fromBrokers) {
      if (asking.compareAndSet(false, true)) {
        Thread.ofVirtual()
            .name("coordinator-meters-brokers")
            .start(() -> {
              try {
                fromBrokers.run();
              } finally {
                asking.set(false);
              }
            });
      }
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }

  @Bean
  ClusterMeters clusterMeters(
      CoordinatorNode node, ReplicationPressure pressure, MeterRegistry meters) {
    return new ClusterMeters(node, pressure, meters);
  }

  @Bean
  ClusterCopyMeters clusterCopyMeters(
      CoordinatorNode node, MeterRegistry meters, MetricsProperties properties) {
    return new ClusterCopyMeters(
        node::state,
        node.progress(),
        node.nodes()::silentMillis,
        () -> TimeUnit.NANOSECONDS.toMillis(Ticker.SYSTEM.nanos()),
        meters,
        properties.copies());
  }

  @Bean
  SelectionMeters selectionMeters(
      CoordinatorNode node,
      ClusterSelection selection,
      NodeGuards guards,
      RetryBudget retries,
      MeterRegistry meters,
      MetricsProperties properties) {
    return new SelectionMeters(
        selection,
        guards,
        retries,
        id -> node.state().node(id).map(NodeInfo::name),
        meters,
        properties.copies());
  }

  /** Exports the breakers of nodes and of other clusters' seeds as long as these exist. */
  @Bean(destroyMethod = "close")
  ClusterView.Registration breakerMeters(
      ClusterAccess cluster, NodeGuards guards, RemoteFiles remotes, MeterRegistry meters) {
    BreakerMeters.bind(guards.breakers(), meters);
    BreakerMeters.bind(remotes.guards().breakers(), meters);
    return cluster.listen(remotes.guards()::follow);
  }

  @Bean
  LogMeters logMeters(
      CoordinatorNode node, KafkaMessageLog log, Topics topics, MeterRegistry meters) {
    String prefix = topics.clusterLog().replaceFirst("[^.]*$", "");
    return new LogMeters(node::isLeading, () -> log.partitions(prefix), meters);
  }

  @Bean(destroyMethod = "close")
  Rounds meterRounds(ClusterCopyMeters copies, SelectionMeters selection, LogMeters log) {
    return new Rounds(
        () -> {
          copies.renew();
          selection.renew();
        },
        log::renew);
  }
}
