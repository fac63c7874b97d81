package io.varve.clients.fuzz;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Writes trees as JSON, which is invalid where a tree contains an invalid {@link OddValues.Raw}.
 */
final class JsonText {

  private JsonText() {}

  static String of(@Nullable Object tree) {
    StringBuilder out = new StringBuilder();
    write(tree, out);
    return out.toString();
  }

  private static void write(@Nullable Object tree, StringBuilder out) {
    switch (tree) {
      case null -> out.append("null");
      case OddValues.Raw raw -> out.append(raw.text());
      case Map<?, ?> map -> {
        String between = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(between);
          quote(String.valueOf(entry.getKey()), out);
          out.append(':');
          write(entry.getValue(), out);
          between = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case List<?> list -> {
        String between = "[";
        for (Object element : list) {
          out.append(between);
          write(element, out);
          between = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case String text -> quote(text, out);
      default -> out.append(tree);
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, out);
    out.append('"');
  }
}
