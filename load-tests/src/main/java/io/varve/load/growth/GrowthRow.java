package io.varve.load.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One cost at the sizes measured so far. */
final class GrowthRow {

  /** The unit of a cost, which is measured in nanoseconds, bytes or records a second. */
  enum Unit {
    TIME,
    BYTES,
    RATE
  }

  private final String name;
  private final Unit unit;
  private final Growth expected;
  private final List<Double> sizes = new ArrayList<>();
  private final List<Double> costs = new ArrayList<>();

  GrowthRow(String name, Unit unit, Growth expected) {
    this.name = name;
    this.unit = unit;
    this.expected = expected;
  }

  String name() {
    return name;
  }

  void add(ClusterSize size, double cost) {
    sizes.add((double) size.shards());
    costs.add(cost);
  }

  /**
   * The cost at a larger size if it keeps growing as it did between the last two sizes; 0 if fewer
   * are known.
   */
  double expectedAt(ClusterSize size) {
    int known = costs.size();
    if (known < 2) {
      return 0;
    }
    double slope =
        Growth.exponent(
            values(sizes.subList(known - 2, known)), values(costs.subList(known - 2, known)));
    return costs.getLast() * Math.pow(size.shards() / sizes.getLast(), Math.max(0, slope));
  }

  /** The number of sizes measured so far. */
  int measured() {
    return costs.size();
  }

  double exponent() {
    return Growth.exponent(values(sizes), values(costs));
  }

  boolean growsTooFast() {
    return costs.size() > 1 && expected.isExceededBy(exponent());
  }

  private static double[] values(List<Double> list) {
    return list.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** A row of a Markdown table with a column for each of {@code columns} sizes. */
  String line(int columns) {
    StringBuilder line = new StringBuilder("| ").append(name).append(" |");
    for (int i = 0; i < columns; i++) {
      line.append(' ').append(i < costs.size() ? text(costs.get(i)) : "–").append(" |");
    }
    String slope = costs.size() > 1 ? String.format(Locale.ROOT, "%.2f", exponent()) : "–";
    return line.append(' ')
        .append(slope)
        .append(growsTooFast() ? " **too fast**" : "")
        .append(" |")
        .toString();
  }

  private String text(double cost) {
    return switch (unit) {
      case TIME -> time(cost);
      case BYTES -> bytes(cost);
      case RATE -> String.format(Locale.ROOT, "%,.0f/s", cost);
    };
  }

  private static String time(double nanos) {
    if (nanos < 1e3) {
      return String.format(Locale.ROOT, "%.0f ns", nanos);
    }
    if (nanos < 1e6) {
      return String.format(Locale.ROOT, "%.3g µs", nanos / 1e3);
    }
    return nanos < 1e9
        ? String.format(Locale.ROOT, "%.3g ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.3g s", nanos / 1e9);
  }

  private static String bytes(double bytes) {
    return bytes < 1e6
        ? String.format(Locale.ROOT, "%.0f kB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
