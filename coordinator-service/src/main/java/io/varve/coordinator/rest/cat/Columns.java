package io.varve.coordinator.rest.cat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of a table, each with the way to its value in a row of type {@code R}. */
final class Columns<R> {

  private final CatTable table = new CatTable();
  private final List<Function<R, ? extends @Nullable Object>> values = new ArrayList<>();

  /** Text; {@code aliases} between commas, empty for none. */
  Columns<R> text(
      String name, String aliases, String says, Function<R, ? extends @Nullable Object> value) {
    table.column(name, aliases, says);
    values.add(value);
    return this;
  }

  /** A number, a size or a time. */
  Columns<R> number(
      String name, String aliases, String says, Function<R, ? extends @Nullable Object> value) {
    table.number(name, aliases, says);
    values.add(value);
    return this;
  }

  /** Text that is there only when it is asked for. */
  Columns<R> hiddenText(
      String name, String aliases, String says, Function<R, ? extends @Nullable Object> value) {
    table.hiddenText(name, aliases, says);
    values.add(value);
    return this;
  }

  /** A number that is there only when it is asked for. */
  Columns<R> hidden(
      String name, String aliases, String says, Function<R, ? extends @Nullable Object> value) {
    table.hidden(name, aliases, says);
    values.add(value);
    return this;
  }

  /**
   * The columns from here on are not of the dialect: the help names them when they are asked for.
   */
  Columns<R> ours() {
    table.ours();
    return this;
  }

  /** Figures that are there only when they are asked for. */
  Columns<R> stats(List<StatColumn> stats, Function<R, Figures> figures) {
    for (StatColumn stat : stats) {
      hidden(stat.name(), stat.aliases(), stat.says(), row -> figures.apply(row).value(stat));
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
