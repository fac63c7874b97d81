package io.varve.client.routing;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.varve.selection.NodeStatistics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Statistics of the selection of copies: the section {@code adaptive_selection} of {@code
 * _nodes/stats}, with OpenSearch's fields and additional ones, and metrics.
 */
public final class SelectionStats {

  private final ClusterSelection selection;
  private final NodeGuards guards;
  private final RetryBudget retries;

  public SelectionStats(ClusterSelection selection, NodeGuards guards, RetryBudget retries) {
    this.selection = selection;
    this.guards = guards;
    this.retries = retries;
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

  public void measuredBy(MeterRegistry meters) {
    sum("varve.selection.searches", meters, sent -> sent.requests());
    sum("varve.selection.hedges", meters, sent -> sent.hedges());
    sum("varve.selection.shadows", meters, sent -> sent.shadows());
    sum("varve.selection.probes", meters, sent -> sent.probes());
    sum("varve.selection.failures", meters, sent -> sent.failures());
    sum("varve.selection.lost", meters, sent -> sent.lost());
    FunctionCounter.builder("varve.selection.retries", retries, RetryBudget::spent)
        .register(meters);
    FunctionCounter.builder("varve.selection.retries.refused", retries, RetryBudget::refused)
        .register(meters);
    FunctionCounter.builder("varve.selection.bulkhead.full", guards, NodeGuards::full)
        .register(meters);
    FunctionCounter.builder("varve.selection.breaker.open", guards, NodeGuards::open)
        .register(meters);
    Gauge.builder("varve.selection.nodes.resting", selection, SelectionStats::resting)
        .register(meters);
  }

  private void sum(
      String name, MeterRegistry meters, ToLongFunction<NodeStatistics.Counts> figure) {
    FunctionCounter.builder(name, selection, all -> figure.applyAsLong(all.sent()))
        .register(meters);
  }

  private static double resting(ClusterSelection selection) {
    return selection.statistics().values().stream()
        .filter(known -> known.adaptive().backOffNanos() > 0)
        .count();
  }
}
