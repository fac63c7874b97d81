package io.varve.coordinator.rest.shard;

import io.varve.client.NodeClient;
import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.CopyTrials;
import io.varve.client.routing.NodeGuards;
import io.varve.client.routing.NodeProbes;
import io.varve.client.routing.RetryBudget;
import io.varve.client.routing.SelectionStats;
import io.varve.cluster.stats.NodeReport;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.selection.ReplicaSelection;
import io.varve.selection.SelectionSettings;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the selection of copies. */
@Configuration(proxyBeanMethods = false)
public class CopySelectionConfiguration {

  @Bean
  RetryBudget retryBudget() {
    return new RetryBudget();
  }

  @Bean
  NodeGuards nodeGuards(ClusterAccess cluster) {
    return new NodeGuards(cluster.clock());
  }

  @Bean
  ClusterSelection clusterSelection(
      ClusterAccess cluster,
      RetryBudget retries,
      NodeGuards guards,
      ObjectProvider<RandomGenerator> chance) {
    ReplicaSelection selection =
        new ReplicaSelection(
            SelectionSettings.DEFAULTS,
            cluster.clock()::nanos,
            chance.getIfAvailable(RandomGenerator::getDefault));
    return new ClusterSelection(cluster, selection, retries, guards);
  }

  @Bean(destroyMethod = "close")
  CopyTrials copyTrials(
      ClusterAccess cluster,
      ClusterSelection selection,
      NodeGuards guards,
      RetryBudget retries,
      NodeClient nodes) {
    return new CopyTrials(selection, guards, retries, nodes, cluster.clock());
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  NodeProbes nodeProbes(
      ClusterAccess cluster, ClusterSelection selection, NodeGuards guards, NodeClient nodes) {
    return new NodeProbes(cluster, selection, guards, nodes);
  }

  @Bean
  SelectionStats selectionStats(ClusterSelection selection, NodeGuards guards, NodeReport report) {
    SelectionStats stats = new SelectionStats(selection, guards);
    report.section("adaptive_selection", stats::section);
    return stats;
  }
}
