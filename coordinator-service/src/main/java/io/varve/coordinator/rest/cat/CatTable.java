package io.varve.coordinator.rest.cat;

import io.varve.rest.ByteText;
import io.varve.rest.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of the {@code _cat} family: columns and rows of values, before anything is chosen, sorted
 * or rendered.
 */
final class CatTable {

  /**
   * A column.
   *
   * @param aliases short names by which it can be asked for
   * @param shown whether it is there when no columns are asked for
   * @param right whether its values are aligned to the right, as numbers are
   * @param ours whether the dialect does not have it: the help leaves it out unless it is asked for
   */
  record Column(
      String name,
      List<String> aliases,
      String description,
      boolean shown,
      boolean right,
      boolean ours) {}

  /** A size: rendered in the unit that is asked for. */
  record Bytes(long sizeBytes) implements Comparable<Bytes> {
    @Override
    public int compareTo(Bytes other) {
      return Long.compare(sizeBytes, other.sizeBytes);
    }
  }

  /** A span of time: rendered in the unit that is asked for. */
  record Time(Duration duration) implements Comparable<Time> {
    @Override
    public int compareTo(Time other) {
      return duration.compareTo(other.duration);
    }
  }

  /** The units in which sizes and times are rendered; {@code null} for the one that fits best. */
  record Units(@Nullable String bytes, @Nullable String time) {

    String render(@Nullable Object value) {
      return switch (value) {
        case null -> "";
        case Bytes size ->
            bytes == null
                ? ByteText.of(size.sizeBytes())
                : Long.toString(ByteText.in(size.sizeBytes(), bytes));
        case Time span ->
            time == null
                ? TimeText.of(span.duration())
                : Long.toString(TimeText.in(span.duration(), time));
        default -> value.toString();
      };
    }
  }

  private final List<Column> columns = new ArrayList<>();
  private boolean ours;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  /** {@code aliases} between commas, empty for none. */
  CatTable column(String name, String aliases, String description) {
    return add(name, aliases, description, true, false);
  }

  /** A column of numbers. */
  CatTable number(String name, String aliases, String description) {
    return add(name, aliases, description, true, true);
  }

  /** A column that is there only when it is asked for. */
  CatTable hidden(String name, String aliases, String description) {
    return add(name, aliases, description, false, true);
  }

  /** A column of text that is there only when it is asked for. */
  CatTable hiddenText(String name, String aliases, String description) {
    return add(name, aliases, description, false, false);
  }

  /** The columns from here on are not of the dialect. */
  CatTable ours() {
    ours = true;
    return this;
  }

  private CatTable add(
      String name, String aliases, String description, boolean shown, boolean right) {
    List<String> names = aliases.isEmpty() ? List.of() : List.of(aliases.split(",", -1));
    columns.add(new Column(name, names, description, shown, right, ours));
    return this;
  }

  /** Values in the order of the columns. */
  void row(@Nullable Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(values.length + " values, " + columns.size() + " columns");
    }
    List<@Nullable Object> row = new ArrayList<>(values.length);
    for (Object value : values) {
      row.add(value);
    }
    rows.add(row);
  }

  List<Column> columns() {
    return columns;
  }

  List<List<@Nullable Object>> rows() {
    return rows;
  }

  /** The column of that name or alias; -1 when there is none. */
  int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name) || columns.get(i).aliases().contains(name)) {
        return i;
      }
    }
    return -1;
  }
}
