package io.varve.coordinator.rest.cat;

import io.varve.rest.ByteText;
import io.varve.rest.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@code _cat} table: columns and rows of values, before selection of columns, sorting and
 * rendering.
 */
final class CatTable {

  /**
   * A column.
   *
   * @param aliases short names by which it can be selected
   * @param shown whether it is selected by default
   * @param right whether its values are right-aligned, as numbers are
   * @param extension whether OpenSearch lacks it; the help lists such a column only on request
   */
  record Column(
      String name,
      List<String> aliases,
      String description,
      boolean shown,
      boolean right,
      boolean extension) {}

  /** A size, rendered in the requested unit. */
  record Bytes(long sizeBytes) implements Comparable<Bytes> {
    @Override
    public int compareTo(Bytes other) {
      return Long.compare(sizeBytes, other.sizeBytes);
    }
  }

  /** A duration, rendered in the requested unit. */
  record Time(Duration duration) implements Comparable<Time> {
    @Override
    public int compareTo(Time other) {
      return duration.compareTo(other.duration);
    }
  }

  /**
   * The units in which sizes and durations are rendered; {@code null} for the largest unit that
   * fits.
   */
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
  private boolean extension;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  /** Adds a text column. {@code aliases} are comma-separated, or empty. */
  CatTable column(String name, String aliases, String description) {
    return add(name, aliases, description, true, false);
  }

  /** Adds a column of numbers. */
  CatTable number(String name, String aliases, String description) {
    return add(name, aliases, description, true, true);
  }

  /** Adds a column of numbers that appears only when it is selected. */
  CatTable hidden(String name, String aliases, String description) {
    return add(name, aliases, description, false, true);
  }

  /** Adds a text column that appears only when it is selected. */
  CatTable hiddenText(String name, String aliases, String description) {
    return add(name, aliases, description, false, false);
  }

  /** Marks all columns added later as extensions, which OpenSearch does not have. */
  CatTable extensions() {
    extension = true;
    return this;
  }

  private CatTable add(
      String name, String aliases, String description, boolean shown, boolean right) {
    List<String> names = aliases.isEmpty() ? List.of() : List.of(aliases.split(",", -1));
    columns.add(new Column(name, names, description, shown, right, extension));
    return this;
  }

  /** Adds a row, with values in the order of the columns. */
  void row(@Nullable Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          values.length + " values for " + columns.size() + " columns");
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

  /** Returns the index of the column with that name or alias; -1 if there is none. */
  int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name) || columns.get(i).aliases().contains(name)) {
        return i;
      }
    }
    return -1;
  }
}
