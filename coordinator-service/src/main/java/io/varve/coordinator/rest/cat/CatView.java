package io.varve.coordinator.rest.cat;

import io.varve.coordinator.rest.cat.CatTable.Column;
import io.varve.coordinator.rest.cat.CatTable.Units;
import io.varve.names.Wildcard;
import io.varve.rest.BodyFormat;
import io.varve.rest.ByteText;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.TimeText;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that control how a table is shown: {@code h} selects columns, {@code s} sorts,
 * {@code v} adds the header, {@code help} shows a description of the columns instead, and {@code
 * format}, {@code bytes} and {@code time} select the format.
 *
 * <p>In plain text, each column is as wide as its widest value, numbers are right-aligned, one
 * space separates columns, and a text column at the end has no trailing spaces.
 */
record CatView(
    List<String> names,
    List<String> sort,
    boolean header,
    boolean help,
    boolean json,
    Units units) {

  /** A selected column, with the name by which it was selected. */
  private record Chosen(int index, String name) {}

  static CatView of(RestRequest request) {
    String format = request.param("format", "text");
    if (!format.equalsIgnoreCase("text") && BodyFormat.named(format) == null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "format [" + format + "] is not supported, use text, json, yaml, cbor or smile"));
    }
    return new CatView(
        request.list("h"),
        request.list("s"),
        request.flag("v", false),
        request.flag("help", false),
        request.askedFormat() != null,
        units(request));
  }

  private static Units units(RestRequest request) {
    String bytes = request.param("bytes");
    if (bytes != null && !ByteText.isUnit(bytes)) {
      throw new ApiException(
          ErrorBody.illegalArgument("unit [" + bytes + "] of [bytes] is not known"));
    }
    String time = request.param("time");
    if (time != null && !TimeText.isUnit(time)) {
      throw new ApiException(
          ErrorBody.illegalArgument("unit [" + time + "] of [time] is not known"));
    }
    return new Units(bytes, time);
  }

  void show(CatTable table, RestResponder responder) {
    if (help) {
      responder.text(200, help(table));
      return;
    }
    List<Chosen> chosen = chosen(table);
    List<List<@Nullable Object>> rows = sorted(table);
    if (json) {
      responder.json(200, json(chosen, rows));
    } else {
      responder.text(200, text(table, chosen, rows));
    }
  }

  private List<Chosen> chosen(CatTable table) {
    List<Chosen> chosen = new ArrayList<>();
    LinkedHashSet<String> taken = new LinkedHashSet<>();
    if (names.isEmpty()) {
      for (int i = 0; i < table.columns().size(); i++) {
        if (table.columns().get(i).shown()) {
          chosen.add(new Chosen(i, table.columns().get(i).name()));
        }
      }
    }
    for (String name : names) {
      if (!Wildcard.isPattern(name)) {
        int index = table.indexOf(name);
        if (index >= 0 && taken.add(name)) {
          chosen.add(new Chosen(index, name));
        }
        continue;
      }
      for (int i = 0; i < table.columns().size(); i++) {
        Column column = table.columns().get(i);
        if (matches(column, name) && taken.add(column.name())) {
          chosen.add(new Chosen(i, table.columns().get(i).name()));
        }
      }
    }
    return chosen;
  }

  private static boolean matches(Column column, String pattern) {
    return Wildcard.matches(pattern, column.name())
        || column.aliases().stream().anyMatch(alias -> Wildcard.matches(pattern, alias));
  }

  private List<List<@Nullable Object>> sorted(CatTable table) {
    List<List<@Nullable Object>> rows = new ArrayList<>(table.rows());
    Comparator<List<@Nullable Object>> order = null;
    for (String key : sort) {
      int colon = key.lastIndexOf(':');
      String name = colon < 0 ? key : key.substring(0, colon);
      boolean descending = colon >= 0 && key.substring(colon + 1).equals("desc");
      int index = table.indexOf(name);
      if (index < 0) {
        throw new ApiException(
            ErrorBody.illegalArgument("Unable to sort by unknown sort key `" + name + "`"));
      }
      Comparator<List<@Nullable Object>> next = (a, b) -> compare(a.get(index), b.get(index));
      next = descending ? next.reversed() : next;
      order = order == null ? next : order.thenComparing(next);
    }
    if (order != null) {
      rows.sort(order);
    }
    return rows;
  }

  /** Compares two values of a column, which have the same type; missing values come first. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compare(@Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return a instanceof Comparable comparable && a.getClass() == b.getClass()
        ? comparable.compareTo(b)
        : a.toString().compareTo(b.toString());
  }

  private List<Map<String, @Nullable String>> json(
      List<Chosen> chosen, List<List<@Nullable Object>> rows) {
    List<Map<String, @Nullable String>> objects = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      Map<String, @Nullable String> object = new LinkedHashMap<>();
      for (Chosen column : chosen) {
        Object value = row.get(column.index());
        object.put(column.name(), value == null ? null : units.render(value));
      }
      objects.add(object);
    }
    return objects;
  }

  private String text(CatTable table, List<Chosen> chosen, List<List<@Nullable Object>> rows) {
    List<List<String>> lines = new ArrayList<>();
    if (header) {
      lines.add(chosen.stream().map(Chosen::name).toList());
    }
    for (List<@Nullable Object> row : rows) {
      lines.add(chosen.stream().map(column -> units.render(row.get(column.index()))).toList());
    }
    List<Boolean> right =
        chosen.stream().map(column -> table.columns().get(column.index()).right()).toList();
    StringBuilder out = new StringBuilder();
    write(lines, right, " ", out);
    return out.toString();
  }

  private String help(CatTable table) {
    List<List<String>> lines = new ArrayList<>();
    for (Column column : table.columns()) {
      if (column.extension() && names.stream().noneMatch(name -> matches(column, name))) {
        continue;
      }
      String aliases = String.join(",", column.aliases());
      lines.add(List.of(column.name(), aliases, column.description()));
    }
    StringBuilder out = new StringBuilder();
    write(lines, Collections.nCopies(3, false), " | ", out);
    return out.toString();
  }

  private static void write(
      List<List<String>> lines, List<Boolean> right, String between, StringBuilder out) {
    int[] widths = new int[right.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        String cell = line.get(i);
        String pad = " ".repeat(widths[i] - cell.length());
        boolean last = i == widths.length - 1;
        out.append(i == 0 ? "" : between);
        out.append(right.get(i) ? pad + cell : last ? cell : cell + pad);
      }
      out.append('\n');
    }
  }
}
