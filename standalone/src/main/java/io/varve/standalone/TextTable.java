package io.varve.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table of text for people: columns are as wide as their widest cell, and columns of numbers are
 * right-aligned.
 */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<String> headers = new ArrayList<>();
  private final List<Boolean> rightAligned = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a column of text. */
  public TextTable text(String header) {
    return column(header, false);
  }

  /** Adds a column of numbers. */
  public TextTable number(String header) {
    return column(header, true);
  }

  private TextTable column(String header, boolean right) {
    headers.add(header);
    rightAligned.add(right);
    return this;
  }

  /** Adds a row, with a cell for each column. */
  public void row(String... cells) {
    if (cells.length != headers.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + headers.size() + " columns");
    }
    rows.add(List.of(cells));
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The header and the rows. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line(headers));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String padding = " ".repeat(width(column) - cells.get(column).length());
      line.append(column == 0 ? "" : GAP)
          .append(
              rightAligned.get(column) ? padding + cells.get(column) : cells.get(column) + padding);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    int width = headers.get(column).length();
    for (List<String> row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }

  /** A size in the largest unit of which there is at least one, such as {@code 1.5 MB}. */
  public static String bytes(long count) {
    if (count < 1024) {
      return count + " B";
    }
    double value = count;
    int unit = -1;
    while (value >= 1024 && unit < 3) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%,.1f %cB", value, "KMGT".charAt(unit));
  }

  /** A duration such as {@code 850 ms} or {@code 1.5 s}. */
  public static String millis(long millis) {
    return millis < 1000 ? millis + " ms" : String.format(Locale.ROOT, "%,.1f s", millis / 1000.0);
  }
}
