package io.varve.client.routing;

import io.varve.client.NodeClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.NodeInfo;
import io.varve.rpc.ApiException;
import io.varve.selection.Probe;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks nodes for their load while searches run: those that have not reported for a while, at the
 * interval {@link ClusterSettings#SELECTION_PROBES}. Without searches, or with probes switched off,
 * it waits until that changes.
 */
public final class NodeProbes implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NodeProbes.class);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration UNTIL_CHANGED = Duration.ofMinutes(1);

  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(200);

  private final ClusterStateSource cluster;
  private final ClusterSelection selection;
  private final NodeGuards guards;
  private final NodeClient nodes;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public NodeProbes(
      ClusterStateSource cluster, ClusterSelection selection, NodeGuards guards, NodeClient nodes) {
    this.cluster = cluster;
    this.selection = selection;
    this.guards = guards;
    this.nodes = nodes;
  }

  public void start() {
    var _ = threads.submit(this::run);
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        guarded();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A failure in one round must not end the loop. The wait for a search comes first, because a
   * search implies that the cluster state is known.
   */
  private void guarded() throws InterruptedException {
    selection.awaitSearch();
    try {
      turn(cluster.state());
    } catch (RuntimeException e) {
      LOG.warn("a round of load probes failed", e);
      Thread.sleep(AFTER_A_FAILURE);
    }
  }

  private void turn(ClusterState state) throws InterruptedException {
    long everyMillis = ClusterSettings.millis(state, ClusterSettings.SELECTION_PROBES);
    if (everyMillis == 0 || !selection.probes(state)) {
      cluster.awaitVersion(state.version() + 1, UNTIL_CHANGED);
    } else {
      round(state);
      Thread.sleep(everyMillis);
    }
  }

  private void round(ClusterState state) {
    for (Probe probe : selection.probesDue()) {
      NodeInfo node = state.nodes().get(probe.node());
      if (node == null) {
        probe.failed();
      } else {
        var _ = threads.submit(() -> ask(node, probe));
      }
    }
  }

  private void ask(NodeInfo node, Probe probe) {
    try {
      probe.answered(ReportedLoad.report(nodes.load(node, PATIENCE)));
      guards.answered(node.nodeId());
    } catch (ApiException | UnreachableException e) {
      LOG.debug("node {} did not answer a load probe", node.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // Does nothing if the probe was answered.
      probe.failed();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
