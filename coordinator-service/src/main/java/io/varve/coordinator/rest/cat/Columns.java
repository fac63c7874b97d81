package io.varve.coordinator.rest.cat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table, each with a function that reads its value from a row of type {@code R}.
 */
final class Columns<R> {

  private final CatTable table = new CatTable();
  private final List<Function<R, ? extends @Nullable Object>> values = new ArrayList<>();

  /** Adds a text column. {@code aliases} are comma-separated, or empty. */
  Columns<R> text(
      String name,
      String aliases,
      String description,
      Function<R, ? extends @Nullable Object> value) {
    table.column(name, aliases, description);
    values.add(value);
    return this;
  }

  /** Adds a column of numbers, sizes or durations. */
  Columns<R> number(
      String name,
      String aliases,
      String description,
      Function<R, ? extends @Nullable Object> value) {
    table.number(name, aliases, description);
    values.add(value);
    return this;
  }

  /** Adds a text column that appears only when it is selected. */
  Columns<R> hiddenText(
      String name,
      String aliases,
      String description,
      Function<R, ? extends @Nullable Object> value) {
    table.hiddenText(name, aliases, description);
    values.add(value);
    return this;
  }

  /** Adds a column of numbers that appears only when it is selected. */
  Columns<R> hidden(
      String name,
      String aliases,
      String description,
      Function<R, ? extends @Nullable Object> value) {
    table.hidden(name, aliases, description);
    values.add(value);
    return this;
  }

  /**
   * Marks all columns added later as extensions, which the help lists only if they are selected.
   */
  Columns<R> extensions() {
    table.extensions();
    return this;
  }

  /** Adds columns of statistics that appear only when they are selected. */
  Columns<R> stats(List<StatColumn> columns, Function<R, StatSections> stats) {
    for (StatColumn column : columns) {
      hidden(
          column.name(),
          column.aliases(),
          column.description(),
          row -> stats.apply(row).value(column));
    }
    return this;
  }

  CatTable table(Iterable<? extends R> rows) {
    for (R row : rows) {
      table.row(values.stream().map(value -> (@Nullable Object) value.apply(row)).toArray());
    }
    return table;
  }
}
