package io.varve.ccr;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters;
import io.varve.metrics.RowMeters.Column;
import io.varve.rpc.PullerStats;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Metrics of each shard that this node pulls, and the number of pullers in each state.
 *
 * <p>A value that is not known has no series. While the leader does not answer, the lag in
 * operations and bytes is therefore absent, whereas the lag in seconds grows.
 */
final class FollowerMeters {

  static final Metric LAG =
      gauge(
          "varve.follower.lag.seconds",
          "Time since the follower provably held all that the leader's log had; it grows while the"
              + " leader does not answer");
  static final Metric LAG_OPERATIONS =
      gauge(
          "varve.follower.lag.operations",
          "Operations that the leader has and the follower lacks; absent unless the shard is pulled");
  static final Metric LAG_BYTES =
      gauge(
          "varve.follower.lag.bytes",
          "Estimated bytes that the leader has and the follower lacks; absent unless the shard is"
              + " pulled");
  static final Metric READ =
      counter("varve.follower.operations.read", "Operations read from the leader");
  static final Metric WRITTEN =
      counter(
          "varve.follower.operations.written", "Operations that the follower's primary accepted");
  static final Metric BYTES_READ =
      counter("varve.follower.read.bytes", "Bytes read from the leader");
  static final Metric READS_FAILED =
      counter("varve.follower.reads.failed", "Attempts to read that failed at the leader");
  static final Metric WRITES_FAILED =
      counter(
          "varve.follower.writes.failed", "Requests that the follower's primary did not accept");
  static final Metric DUPLICATES =
      counter("varve.follower.duplicates.skipped", "Operations that the follower held already");
  static final Metric GAPS =
      counter(
          "varve.follower.gaps.detected",
          "Requests that the follower refused because earlier operations were missing");
  static final Metric FOLLOWERS =
      Metric.gauge(
          "varve.followers",
          "Shards that the node pulls: `waiting`, `bootstrapping`, `pulling`, `lost`, `refused`,"
              + " `deleted`, `closed`",
          "state");

  private static final String PULLING = PullProgress.State.PULLING.name();
  private static final double MILLIS_PER_SECOND = 1000;

  private static final List<Column<PullerStats>> COLUMNS =
      List.of(
          Column.max(LAG, puller -> known(puller.lagMillis()) / MILLIS_PER_SECOND),
          Column.sum(LAG_OPERATIONS, puller -> current(puller, puller.lagOperations())),
          Column.sum(LAG_BYTES, puller -> current(puller, activity(puller).lagBytes())),
          Column.sum(READ, PullerStats::operationsRead),
          Column.sum(WRITTEN, PullerStats::operationsWritten),
          Column.sum(BYTES_READ, PullerStats::bytesRead),
          Column.sum(READS_FAILED, puller -> activity(puller).failedReads()),
          Column.sum(WRITES_FAILED, PullerStats::failedWriteRequests),
          Column.sum(DUPLICATES, puller -> activity(puller).duplicatesSkipped()),
          Column.sum(GAPS, puller -> activity(puller).gapsDetected()));

  private static Metric gauge(String name, String help) {
    return Metric.gauge(name, help, "index", "shard");
  }

  private static Metric counter(String name, String help) {
    return Metric.counter(name, help, "index", "shard");
  }

  private static double known(long value) {
    return value < 0 ? Double.NaN : value;
  }

  private static double current(PullerStats puller, long value) {
    return puller.state().equals(PULLING) ? value : Double.NaN;
  }

  private static PullerStats.Activity activity(PullerStats puller) {
    return Objects.requireNonNullElse(puller.activity(), PullerStats.Activity.NONE);
  }

  private final Supplier<List<PullerStats>> pullers;
  private final UnaryOperator<String> indexNames;
  private final RowMeters<PullerStats> rows;
  private final MultiGauge states;

  /**
   * @param indexNames the name of the index with that uuid
   * @param limit shards that are exported one by one
   */
  FollowerMeters(
      Supplier<List<PullerStats>> pullers,
      UnaryOperator<String> indexNames,
      MeterRegistry meters,
      int limit) {
    this.pullers = pullers;
    this.indexNames = indexNames;
    this.states =
        MultiGauge.builder(FOLLOWERS.name()).description(FOLLOWERS.help()).register(meters);
    this.rows = new RowMeters<>(meters, limit, COLUMNS, this::tags);
  }

  /** Reads the statistics of the pullers; called every second. */
  synchronized void renew() {
    List<PullerStats> all = pullers.get();
    rows.renew(all);
    // Each state has a row, so that its gauge becomes 0 instead of disappearing.
    states.register(
        List.of(PullProgress.State.values()).stream()
            .<MultiGauge.Row<?>>map(state ->
                MultiGauge.Row.of(
                    Tags.of("state", state.name().toLowerCase(Locale.ROOT)), count(all, state)))
            .toList(),
        true);
  }

  private static long count(List<PullerStats> all, PullProgress.State state) {
    return all.stream().filter(puller -> puller.state().equals(state.name())).count();
  }

  private Tags tags(PullerStats puller) {
    return Tags.of(
        "index", indexNames.apply(puller.indexUuid()), "shard", Integer.toString(puller.shardId()));
  }
}
