package io.varve.load.growth;

import io.varve.load.growth.GrowthRow.Unit;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Measures the classes that hold, change and read the state of a cluster, at increasing sizes,
 * without processes or a log.
 */
public final class StateBench {

  /** One measurement of a cluster of one size. */
  record Cost(String name, Unit unit, Growth expected, Supplier<Double> measurement) {}

  private final CpuMeter meter;
  private final long mostNanos;
  private final String only;
  private final Map<String, GrowthRow> rows = new LinkedHashMap<>();

  /**
   * @param samples of each cost; the median counts
   * @param mostSeconds CPU time for one cost; a cost that is expected to take longer for a single
   *     call is left out
   * @param only a part of the names of the measured costs
   */
  public StateBench(int samples, int mostSeconds, String only) {
    this.mostNanos = TimeUnit.SECONDS.toNanos(mostSeconds);
    this.meter = new CpuMeter(samples, mostNanos);
    this.only = only;
  }

  /** Prints a table with a row for each cost and a column for each size up to the largest. */
  public void run(int mostShards) {
    List<ClusterSize> sizes = ClusterSize.steps(mostShards);
    System.out.printf(
        Locale.ROOT,
        "CPU time of one thread, median. Each shard has two copies, each index five shards, each"
            + " node 200 copies.%n%n");
    // Classes are loaded first, because they would otherwise count as heap of the first cluster.
    var _ = new LargeCluster(sizes.getFirst());
    for (ClusterSize size : sizes) {
      long before = usedHeapBytes();
      LargeCluster cluster = new LargeCluster(size);
      long heapBytes = Math.max(1, usedHeapBytes() - before);
      System.err.printf(Locale.ROOT, "%s: %,d MB of heap%n", size, heapBytes >> 20);
      row("heap of the cluster state", Unit.BYTES, Growth.LINEAR).add(size, (double) heapBytes);
      for (Cost cost : costs(cluster)) {
        if (cost.name().contains(only)) {
          measure(size, cost);
        }
      }
    }
    print(sizes);
  }

  private List<Cost> costs(LargeCluster cluster) {
    List<Cost> costs = new ArrayList<>();
    costs.addAll(new EventCosts(cluster, meter).all());
    costs.addAll(new LeaderCosts(cluster, meter).all());
    costs.addAll(new RecordCosts(cluster, meter).all());
    costs.addAll(new RequestCosts(cluster, meter).all());
    return costs;
  }

  private void measure(ClusterSize size, Cost cost) {
    GrowthRow row = row(cost.name(), cost.unit(), cost.expected());
    if (cost.unit() == Unit.TIME && row.expectedAt(size) > mostNanos) {
      System.err.printf(
          Locale.ROOT, "  %s: left out, about %.0f s%n", cost.name(), row.expectedAt(size) / 1e9);
      return;
    }
    row.add(size, cost.measurement().get());
    System.err.println("  " + row.line(row.measured()));
  }

  private GrowthRow row(String name, Unit unit, Growth expected) {
    return rows.computeIfAbsent(name, _ -> new GrowthRow(name, unit, expected));
  }

  private void print(List<ClusterSize> sizes) {
    StringBuilder head = new StringBuilder("| |");
    StringBuilder line = new StringBuilder("|---|");
    for (ClusterSize size : sizes) {
      head.append(String.format(Locale.ROOT, " %,d shards |", size.shards()));
      line.append("---|");
    }
    System.out.println(head.append(" exponent |"));
    System.out.println(line.append("---|"));
    rows.values().forEach(row -> System.out.println(row.line(sizes.size())));
    List<String> fast =
        rows.values().stream().filter(GrowthRow::growsTooFast).map(GrowthRow::name).toList();
    System.out.println();
    System.out.println(
        fast.isEmpty() ? "Nothing grows faster than it should." : "Too fast: " + fast);
  }

  private static long usedHeapBytes() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
