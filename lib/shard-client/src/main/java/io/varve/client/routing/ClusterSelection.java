package io.varve.client.routing;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.NodeInfo;
import io.varve.selection.Copy;
import io.varve.selection.Formula;
import io.varve.selection.NodeStatistics;
import io.varve.selection.Probe;
import io.varve.selection.ReplicaSelection;
import io.varve.selection.SearchSelection;
import io.varve.selection.SelectionSettings;
import io.varve.selection.SelectionSettings.Hedging;
import io.varve.selection.Strategy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Connects the selection of copies to the cluster: its settings and its members. A change of either
 * takes effect with the next search.
 */
public final class ClusterSelection {

  private final ClusterStateSource cluster;
  private final ReplicaSelection selection;
  private final RetryBudget retries;
  private final NodeGuards guards;
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean awaited;
  private volatile long seenVersion = -1;

  public ClusterSelection(
      ClusterStateSource cluster,
      ReplicaSelection selection,
      RetryBudget retries,
      NodeGuards guards) {
    this.cluster = cluster;
    this.selection = selection;
    this.retries = retries;
    this.guards = guards;
  }

  /** Starts the selection for one search; {@code kind} names work that takes similar time. */
  public SearchSelection search(ClusterState state, String kind) {
    follow(state);
    SearchSelection search = selection.search(kind);
    if (awaited) {
      awaited = false;
      wake.release();
    }
    return search;
  }

  /** Whether a search is running or ran recently. */
  boolean isSearched() {
    return selection.isSearched();
  }

  /** Waits for a search. */
  void awaitSearch() throws InterruptedException {
    while (!isSearched()) {
      awaited = true;
      // A search that began before it could see the waiting thread is noticed here.
      if (!isSearched()) {
        wake.acquire();
      }
    }
    awaited = false;
  }

  boolean isAwaited() {
    return awaited;
  }

  private void follow(ClusterState state) {
    if (state.version() > seenVersion) {
      adopt(state);
    }
  }

  /** A search that began with an older state must not re-add the members of that state. */
  private synchronized void adopt(ClusterState state) {
    if (state.version() <= seenVersion) {
      return;
    }
    selection.settings(settings(state));
    selection.retain(state.nodes().keySet());
    retries.share(ClusterSettings.number(state, ClusterSettings.RETRY_BUDGET));
    guards.follow(state);
    seenVersion = state.version();
  }

  /** The parameters in the cluster settings. */
  static SelectionSettings settings(ClusterState state) {
    Hedging hedging =
        new Hedging(
            ClusterSettings.flag(state, ClusterSettings.HEDGING),
            ClusterSettings.number(state, ClusterSettings.HEDGING_PERCENTILE),
            TimeUnit.MILLISECONDS.toNanos(
                ClusterSettings.millis(state, ClusterSettings.HEDGING_MAX_DELAY)),
            ClusterSettings.number(state, ClusterSettings.HEDGING_BUDGET));
    return new SelectionSettings(
        Strategy.of(String.valueOf(ClusterSettings.value(state, ClusterSettings.SELECTION))),
        Formula.of(String.valueOf(ClusterSettings.value(state, ClusterSettings.SELECTION_FORMULA))),
        ClusterSettings.flag(state, ClusterSettings.ADAPTIVE_SELECTION),
        hedging);
  }

  /** Describes a copy to the selection. */
  public Copy candidate(ClusterState state, CopyAddress copy) {
    return new Copy(copy.node().nodeId(), copy.copy().started(), isNear(state, copy.node()));
  }

  /** Whether the node has this coordinator's awareness attributes, or awareness is off. */
  private boolean isNear(ClusterState state, NodeInfo node) {
    NodeInfo here = state.nodes().get(cluster.localNodeId());
    if (here == null || ClusterSettings.flag(state, ClusterSettings.IGNORE_AWARENESS)) {
      return true;
    }
    for (String attribute : ClusterSettings.awarenessAttributes(state)) {
      String own = here.attributes().get(attribute);
      if (own != null && !own.equals(node.attributes().get(attribute))) {
        return false;
      }
    }
    return true;
  }

  /** Whether reported loads are used at all. */
  boolean probes(ClusterState state) {
    return settings(state).effectiveStrategy() == Strategy.ADAPTIVE;
  }

  List<Probe> probesDue() {
    follow(cluster.state());
    return selection.probesDue();
  }

  /** Counts of requests to all nodes so far, including those that have left. */
  public NodeStatistics.Counts sent() {
    return selection.sent();
  }

  /** Statistics of each node, by its id. */
  public Map<String, NodeStatistics> statistics() {
    return selection.statistics();
  }
}
