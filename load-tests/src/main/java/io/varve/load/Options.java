package io.varve.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a bench was asked for: {@code --name value} pairs. */
record Options(Map<String, String> values) {

  Options {
    values = Map.copyOf(values);
  }

  /**
   * @throws IllegalArgumentException a name that is not among {@code known}, or one without a value
   */
  static Options of(List<String> arguments, Set<String> known) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      if (!known.contains(name)) {
        throw new IllegalArgumentException("unknown option [" + name + "]");
      }
      if (i + 1 == arguments.size()) {
        throw new IllegalArgumentException("option [" + name + "] needs a value");
      }
      values.put(name, arguments.get(i + 1));
    }
    return new Options(values);
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /** The same, with a value where none was given. */
  Options or(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.putIfAbsent(name, value);
    return new Options(more);
  }

  int number(String name, int otherwise) {
    return Integer.parseInt(text(name, Integer.toString(otherwise)));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }
}
