package io.varve.client.routing;

import io.varve.selection.NodeStatistics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Statistics of the selection of copies: the section {@code adaptive_selection} of {@code
 * _nodes/stats}, with OpenSearch's fields and additional ones.
 */
public final class SelectionStats {

  private final ClusterSelection selection;
  private final NodeGuards guards;

  public SelectionStats(ClusterSelection selection, NodeGuards guards) {
    this.selection = selection;
    this.guards = guards;
  }

  /** The section, by node. */
  public Map<String, Object> section() {
    Map<String, Object> section = new LinkedHashMap<>();
    selection.statistics().forEach((node, known) -> section.put(node, of(node, known)));
    return section;
  }

  /** Empty for a node that has not answered yet, as in OpenSearch. */
  private Map<String, Object> of(String node, NodeStatistics known) {
    Map<String, Object> shown = new LinkedHashMap<>();
    known
        .averages()
        .ifPresent(averages -> {
          shown.put("outgoing_searches", known.outgoingSearches());
          shown.put("avg_queue_size", averages.queueSize());
          shown.put("avg_service_time_ns", averages.serviceTimeNanos());
          shown.put("avg_response_time_ns", averages.responseTimeNanos());
          shown.put("rank", String.format(Locale.ROOT, "%.1f", averages.rank()));
          NodeStatistics.Adaptive adaptive = known.adaptive();
          NodeStatistics.Counts sent = adaptive.sent();
          shown.put("slowness", rounded(adaptive.slowness()));
          shown.put("cost", rounded(adaptive.cost()));
          shown.put("in_flight", adaptive.inFlight());
          shown.put("back_off_ns", adaptive.backOffNanos());
          shown.put("circuit_breaker", guards.state(node));
          shown.put("searches", sent.requests());
          shown.put("hedges", sent.hedges());
          shown.put("shadows", sent.shadows());
          shown.put("probes", sent.probes());
          shown.put("failures", sent.failures());
          shown.put("lost", sent.lost());
        });
    return shown;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
