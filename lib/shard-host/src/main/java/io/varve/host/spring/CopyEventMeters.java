package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.CopyEvents;
import io.varve.host.ShardCopy;
import io.varve.metrics.Metric;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * Metrics of the events of this node's copies: the lag of each manifest when it is shown, and the
 * changes of the gates of primaries.
 */
final class CopyEventMeters implements CopyEvents {

  static final Metric SHOWN_LAG =
      Metric.histogram(
          "varve.copy.shown.lag",
          "Time from the publication of a manifest until a SEGMENT replica on this node shows it,"
              + " or of the oldest operation in a refresh until a DOCUMENT replica on this node"
              + " shows it; one sample per manifest or refresh",
          "index");
  static final Metric GATES =
      Metric.counter(
          "varve.write.gates",
          "Changes of the gates of primaries: `opened`, `fenced` by a newer term, `closed` because"
              + " the outcome of an append is unknown",
          "change");

  private static final List<Duration> BUCKETS =
      List.of(
          Duration.ofMillis(25),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofMillis(2500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5));

  private final MeterRegistry meters;
  private final UnaryOperator<String> indexNames;
  private final Map<String, Timer> lags = new ConcurrentHashMap<>();
  private final Map<CopyContext.GateChange, LongAdder> gates =
      new EnumMap<>(CopyContext.GateChange.class);

  /**
   * @param indexNames the name of the index with that uuid
   */
  CopyEventMeters(MeterRegistry meters, UnaryOperator<String> indexNames) {
    this.meters = meters;
    this.indexNames = indexNames;
    for (CopyContext.GateChange change : CopyContext.GateChange.values()) {
      LongAdder count = new LongAdder();
      gates.put(change, count);
      GATES.register(meters, count, LongAdder::sum, change.name().toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void shown(ShardId shard, long lagMillis) {
    lags.computeIfAbsent(
            shard.indexUuid(), uuid -> SHOWN_LAG.timer(meters, BUCKETS, indexNames.apply(uuid)))
        .record(lagMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void gate(ShardId shard, CopyContext.GateChange change) {
    LongAdder count = gates.get(change);
    if (count != null) {
      count.increment();
    }
  }

  /** Removes the timers of indices that no longer have a copy here. */
  void retain(Collection<ShardCopy> copies) {
    Set<String> here = new HashSet<>();
    copies.forEach(copy -> here.add(copy.shard().indexUuid()));
    lags.entrySet()
        .removeIf(lag -> {
          boolean gone = !here.contains(lag.getKey());
          if (gone) {
            meters.remove(lag.getValue());
          }
          return gone;
        });
  }
}
