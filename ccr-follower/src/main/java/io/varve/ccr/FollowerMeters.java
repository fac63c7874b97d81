package io.varve.ccr;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.varve.rpc.PullerStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * Gauges of each shard that this node pulls, {@code varve.follower.*}, and the number of pullers in
 * each state, {@code varve.followers}.
 *
 * <p>A value that is not known has no row. So the lag in operations and bytes is absent while the
 * leader does not answer, whereas {@code lag.millis} grows.
 */
final class FollowerMeters {

  private static final String PULLING = PullProgress.State.PULLING.name();
  private static final Map<String, ToDoubleFunction<PullerStats>> VALUES = new LinkedHashMap<>();

  static {
    value("varve.follower.lag.millis", puller -> known(puller.lagMillis()));
    value("varve.follower.lag.operations", puller -> current(puller, puller.lagOperations()));
    value("varve.follower.lag.bytes", puller -> current(puller, activity(puller).lagBytes()));
    value("varve.follower.operations.read", PullerStats::operationsRead);
    value("varve.follower.operations.written", PullerStats::operationsWritten);
    value("varve.follower.bytes.read", PullerStats::bytesRead);
    value("varve.follower.reads.failed", puller -> activity(puller).failedReads());
    value("varve.follower.writes.failed", PullerStats::failedWriteRequests);
    value("varve.follower.duplicates.skipped", puller -> activity(puller).duplicatesSkipped());
    value("varve.follower.gaps.detected", puller -> activity(puller).gapsDetected());
  }

  private static void value(String name, ToDoubleFunction<PullerStats> value) {
    VALUES.put(name, value);
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
  private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();
  private final MultiGauge states;

  /**
   * @param indexNames the name of the index with that uuid
   */
  FollowerMeters(
      Supplier<List<PullerStats>> pullers, UnaryOperator<String> indexNames, MeterRegistry meters) {
    this.pullers = pullers;
    this.indexNames = indexNames;
    this.states = MultiGauge.builder("varve.followers").register(meters);
    VALUES.keySet().forEach(name -> gauges.put(name, MultiGauge.builder(name).register(meters)));
  }

  /** Reads the statistics of the pullers; called each second. */
  void renew() {
    List<PullerStats> all = pullers.get();
    VALUES.forEach((name, value) ->
        gauges
            .get(name)
            .register(
                all.stream()
                    .filter(puller -> !Double.isNaN(value.applyAsDouble(puller)))
                    .<MultiGauge.Row<?>>map(
                        puller -> MultiGauge.Row.of(tags(puller), value.applyAsDouble(puller)))
                    .toList(),
                true));
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
