package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.metrics.Metric;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Metrics of the lanes in which a node transfers files. */
public final class LaneMeters {

  static final Metric BYTES =
      Metric.counter(
          "varve.transfer.bytes",
          "Bytes of files that this node requested from other nodes or uploaded, by lane:"
              + " `freshness`, `recovery`, `bootstrap`, `merged`, `upload`",
          "lane");
  static final Metric WAIT =
      Metric.counter(
          "varve.transfer.wait.seconds",
          "Time that transfers waited for the lane's limit, or for fresher files",
          "lane");
  static final Metric LIMIT =
      Metric.gauge(
          "varve.transfer.limit.bytes",
          "Limit of the lane in bytes per second; 0 for none",
          "lane");

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private LaneMeters() {}

  /** Registers the metrics of these lanes of the budget. */
  public static void register(
      TransferBudget budget, Collection<TransferLane> lanes, MeterRegistry meters) {
    for (TransferLane lane : lanes) {
      String name = lane.name().toLowerCase(Locale.ROOT);
      BYTES.register(meters, budget, b -> b.bytes(lane), name);
      WAIT.register(meters, budget, b -> b.waitedNanos(lane) / NANOS_PER_SECOND, name);
      LIMIT.register(meters, budget, b -> b.bytesPerSecond(lane), name);
    }
  }
}
