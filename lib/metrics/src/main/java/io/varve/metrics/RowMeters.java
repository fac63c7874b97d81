package io.varve.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of rows that come and go, such as copies: each row has the same gauges and counters.
 *
 * <p>A value that is not known, {@link Double#NaN}, has no series. If there are more rows than the
 * limit, the rows that differ only in the label {@code shard} are exported as one, with {@value
 * #ALL} in its place: values are added up, or the largest one is exported, depending on the column.
 * A merged counter keeps the values of removed rows, because a counter that falls would look
 * restarted.
 *
 * <p>Not thread-safe: one thread at a time calls {@link #renew}. Series are read by any thread.
 *
 * @param <R> the type of a row
 */
public final class RowMeters<R> {

  /** The label that is merged. */
  public static final String MERGED_LABEL = "shard";

  /** The value of the merged label. */
  public static final String ALL = "all";

  /** How rows are merged. */
  public enum Merge {
    SUM,
    MAX
  }

  /** A metric of each row. */
  public record Column<R>(Metric metric, Merge merge, ToDoubleFunction<R> value) {

    /** A column that is added up when rows are merged. */
    public static <R> Column<R> sum(Metric metric, ToDoubleFunction<R> value) {
      return new Column<>(metric, Merge.SUM, value);
    }

    /** A column that exports the largest value when rows are merged. */
    public static <R> Column<R> max(Metric metric, ToDoubleFunction<R> value) {
      return new Column<>(metric, Merge.MAX, value);
    }
  }

  /** One exported value; volatile because scrapes read it. */
  private static final class Cell {
    volatile double value;
    @Nullable Meter meter;
  }

  /** The last values of a row that was merged, by which its counters have grown since. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Merged(Tags into, double[] values) {}

  private final MeterRegistry meters;
  private final int limit;
  private final List<Column<R>> columns;
  private final Function<R, Tags> tags;
  private final Map<Tags, Cell[]> exported = new HashMap<>();
  private final Map<Tags, Merged> merged = new HashMap<>();
  private final Map<Tags, double[]> totals = new HashMap<>();

  /**
   * @param limit rows that are exported one by one
   * @param tags identifies a row; the names of the tags are the labels of all columns
   */
  public RowMeters(
      MeterRegistry meters, int limit, List<Column<R>> columns, Function<R, Tags> tags) {
    this.meters = meters;
    this.limit = limit;
    this.columns = List.copyOf(columns);
    this.tags = tags;
  }

  /** Exports these rows, and no others any more. */
  public void renew(Collection<R> rows) {
    Map<Tags, double[]> values = new LinkedHashMap<>();
    for (R row : rows) {
      values.put(
          tags.apply(row),
          columns.stream().mapToDouble(c -> c.value().applyAsDouble(row)).toArray());
    }
    export(values.size() > limit ? merge(values) : single(values));
  }

  private Map<Tags, double[]> single(Map<Tags, double[]> values) {
    merged.clear();
    totals.clear();
    return values;
  }

  private Map<Tags, double[]> merge(Map<Tags, double[]> values) {
    Map<Tags, double[]> sums = new LinkedHashMap<>();
    values.forEach((row, now) -> {
      Merged before = merged.get(row);
      Tags into = before == null ? withoutShard(row) : before.into();
      double[] sum = sums.computeIfAbsent(into, _ -> nothing());
      double[] total = totals.computeIfAbsent(into, _ -> new double[columns.size()]);
      for (int i = 0; i < now.length; i++) {
        if (columns.get(i).metric().kind() == Metric.Kind.COUNTER) {
          total[i] += growth(before == null ? 0 : before.values()[i], now[i]);
          sum[i] = total[i];
        } else {
          sum[i] = merged(columns.get(i).merge(), sum[i], now[i]);
        }
      }
      merged.put(row, new Merged(into, now));
    });
    merged.keySet().retainAll(values.keySet());
    totals.keySet().retainAll(sums.keySet());
    return sums;
  }

  private double[] nothing() {
    return columns.stream().mapToDouble(_ -> Double.NaN).toArray();
  }

  private static double merged(Merge merge, double sum, double value) {
    if (Double.isNaN(sum) || Double.isNaN(value)) {
      return Double.isNaN(sum) ? value : sum;
    }
    return merge == Merge.SUM ? sum + value : Math.max(sum, value);
  }

  /** A counter that fell was restarted with its row. */
  private static double growth(double before, double now) {
    if (Double.isNaN(now)) {
      return 0;
    }
    return Double.isNaN(before) || now < before ? now : now - before;
  }

  private static Tags withoutShard(Tags row) {
    List<Tag> tags = new ArrayList<>();
    row.forEach(
        tag -> tags.add(tag.getKey().equals(MERGED_LABEL) ? Tag.of(MERGED_LABEL, ALL) : tag));
    return Tags.of(tags);
  }

  private void export(Map<Tags, double[]> rows) {
    exported
        .entrySet()
        .removeIf(row -> {
          boolean gone = !rows.containsKey(row.getKey());
          if (gone) {
            for (Cell cell : row.getValue()) {
              remove(cell);
            }
          }
          return gone;
        });
    rows.forEach((row, values) -> {
      Cell[] cells = exported.computeIfAbsent(row, _ -> cells());
      for (int i = 0; i < cells.length; i++) {
        show(cells[i], columns.get(i).metric(), row, values[i]);
      }
    });
  }

  private Cell[] cells() {
    Cell[] cells = new Cell[columns.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new Cell();
    }
    return cells;
  }

  private void show(Cell cell, Metric metric, Tags row, double value) {
    if (Double.isNaN(value)) {
      remove(cell);
      return;
    }
    cell.value = value;
    if (cell.meter == null) {
      cell.meter = metric.register(meters, cell, shown -> shown.value, row);
    }
  }

  private void remove(Cell cell) {
    Meter meter = cell.meter;
    if (meter != null) {
      meters.remove(meter);
      cell.meter = null;
    }
  }
}
