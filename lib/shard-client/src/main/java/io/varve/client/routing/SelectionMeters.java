package io.varve.client.routing;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters;
import io.varve.metrics.RowMeters.Column;
import io.varve.selection.NodeStatistics;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Metrics of the selection of copies: counters of this coordinator, and the rank of each node. */
public final class SelectionMeters {

  static final Metric SEARCHES =
      Metric.counter(
          "varve.selection.searches", "Shard searches that this coordinator sent, of all kinds");
  static final Metric HEDGES =
      Metric.counter(
          "varve.selection.hedges",
          "Searches sent to a second copy because the first did not answer in time"
              + " (`cluster.routing.hedging.*`)");
  static final Metric LOST =
      Metric.counter(
          "varve.selection.lost",
          "Searches that were cancelled because another copy answered first");
  static final Metric SHADOWS =
      Metric.counter(
          "varve.selection.shadows",
          "Duplicate searches sent only to measure a node that got no searches for a while");
  static final Metric PROBES =
      Metric.counter("varve.selection.probes", "Requests for a node's load");
  static final Metric FAILURES =
      Metric.counter(
          "varve.selection.failures",
          "Searches and probes that failed because of the node: errors, rejections, timeouts, no"
              + " connection");
  static final Metric RETRIES =
      Metric.counter("varve.selection.retries", "Retries of a shard search after such a failure");
  static final Metric RETRIES_REFUSED =
      Metric.counter(
          "varve.selection.retries.refused",
          "Retries that `cluster.routing.retries.budget` did not allow");
  static final Metric BULKHEAD_FULL =
      Metric.counter(
          "varve.selection.bulkhead.full",
          "Searches not sent to a node because `cluster.routing.node_concurrent_searches` were in"
              + " flight there");
  static final Metric BREAKER_REFUSED =
      Metric.counter(
          "varve.selection.breaker.open",
          "Searches sent to the next copy because the node's circuit breaker was open");
  static final Metric RESTING =
      Metric.gauge(
          "varve.selection.nodes.resting",
          "Nodes that get no searches for a while because they failed");

  static final Metric RANK =
      node(
          "varve.selection.rank",
          "Rank of the node by `cluster.routing.replica_selection.formula`, in milliseconds; the"
              + " lowest is asked first by that formula");
  static final Metric QUEUE =
      node("varve.selection.queue.size", "Moving average of the length of the node's search queue");
  static final Metric SERVICE =
      node(
          "varve.selection.service.seconds",
          "Moving average of the time that a search takes on a worker of the node");
  static final Metric RESPONSE =
      node(
          "varve.selection.response.seconds",
          "Moving average of the time until the node answers, as this coordinator sees it");
  static final Metric SLOWNESS =
      node("varve.selection.slowness", "Execution time on the node relative to the expected time");
  static final Metric COST =
      node(
          "varve.selection.cost",
          "Expected completion time on the node, in multiples of the expected time: what the"
              + " adaptive strategy compares");
  static final Metric IN_FLIGHT =
      node(
          "varve.selection.in.flight",
          "Estimated number of searches in flight to the node, from all coordinators");
  static final Metric BULKHEAD =
      node("varve.selection.bulkhead.used", "Searches of this coordinator in flight to the node");
  static final Metric BREAKER =
      node(
          "varve.selection.breaker.state",
          "Circuit breaker of the node: 0 closed, 1 half open, 2 open");
  static final Metric BACK_OFF =
      node(
          "varve.selection.backoff.seconds",
          "Remaining time in which the node gets no searches because it failed");
  static final Metric NODE_SEARCHES =
      nodeCounter("varve.selection.node.searches", "Shard searches sent to the node");
  static final Metric NODE_FAILURES =
      nodeCounter(
          "varve.selection.node.failures", "Searches and probes that failed because of the node");

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A node of which this coordinator has statistics. */
  private record Node(String id, NodeStatistics known) {}

  private final ClusterSelection selection;
  private final RowMeters<Node> rows;

  /**
   * @param names the name of the node with that id; empty if it is not a member
   * @param limit nodes that are exported one by one
   */
  public SelectionMeters(
      ClusterSelection selection,
      NodeGuards guards,
      RetryBudget retries,
      Function<String, Optional<String>> names,
      MeterRegistry meters,
      int limit) {
    this.selection = selection;
    counters(selection, guards, retries, meters);
    this.rows =
        new RowMeters<>(
            meters,
            limit,
            columns(guards),
            node -> Tags.of("target", names.apply(node.id()).orElse(node.id())));
  }

  private static void counters(
      ClusterSelection selection, NodeGuards guards, RetryBudget retries, MeterRegistry meters) {
    sum(SEARCHES, selection, meters, NodeStatistics.Counts::requests);
    sum(HEDGES, selection, meters, NodeStatistics.Counts::hedges);
    sum(SHADOWS, selection, meters, NodeStatistics.Counts::shadows);
    sum(PROBES, selection, meters, NodeStatistics.Counts::probes);
    sum(FAILURES, selection, meters, NodeStatistics.Counts::failures);
    sum(LOST, selection, meters, NodeStatistics.Counts::lost);
    RETRIES.register(meters, retries, RetryBudget::spent);
    RETRIES_REFUSED.register(meters, retries, RetryBudget::refused);
    BULKHEAD_FULL.register(meters, guards, NodeGuards::full);
    BREAKER_REFUSED.register(meters, guards, NodeGuards::open);
    RESTING.register(meters, selection, SelectionMeters::resting);
  }

  private static List<Column<Node>> columns(NodeGuards guards) {
    return List.of(
        Column.max(RANK, averages(NodeStatistics.Averages::rank)),
        Column.max(QUEUE, averages(NodeStatistics.Averages::queueSize)),
        Column.max(SERVICE, averages(a -> a.serviceTimeNanos() / NANOS_PER_SECOND)),
        Column.max(RESPONSE, averages(a -> a.responseTimeNanos() / NANOS_PER_SECOND)),
        Column.max(SLOWNESS, node -> known(node.known().adaptive().slowness())),
        Column.max(COST, node -> known(node.known().adaptive().cost())),
        Column.sum(IN_FLIGHT, node -> node.known().adaptive().inFlight()),
        Column.sum(BULKHEAD, node -> guards.underWay(node.id())),
        Column.max(BREAKER, node -> breaker(guards.state(node.id()))),
        Column.max(BACK_OFF, node -> node.known().adaptive().backOffNanos() / NANOS_PER_SECOND),
        Column.sum(NODE_SEARCHES, node -> node.known().adaptive().sent().requests()),
        Column.sum(NODE_FAILURES, node -> node.known().adaptive().sent().failures()));
  }

  /** Exports the nodes that are known now; called every second. */
  public void renew() {
    rows.renew(
        selection.statistics().entrySet().stream()
            .map(node -> new Node(node.getKey(), node.getValue()))
            .toList());
  }

  private static ToDoubleFunction<Node> averages(ToDoubleFunction<NodeStatistics.Averages> value) {
    return node -> node.known().averages().map(value::applyAsDouble).orElse(Double.NaN);
  }

  private static double known(double value) {
    return value < 0 ? Double.NaN : value;
  }

  private static double breaker(String state) {
    return switch (state) {
      case "closed" -> 0;
      case "half_open" -> 1;
      default -> 2;
    };
  }

  private static void sum(
      Metric metric,
      ClusterSelection selection,
      MeterRegistry meters,
      ToLongFunction<NodeStatistics.Counts> value) {
    metric.register(meters, selection, all -> value.applyAsLong(all.sent()));
  }

  private static double resting(ClusterSelection selection) {
    return selection.statistics().values().stream()
        .filter(known -> known.adaptive().backOffNanos() > 0)
        .count();
  }

  private static Metric node(String name, String help) {
    return Metric.gauge(name, help, "target");
  }

  private static Metric nodeCounter(String name, String help) {
    return Metric.counter(name, help, "target");
  }
}
