package io.varve.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a bench was asked for: {@code --name value} pairs. */
record Options(Map<String, String> values) {

  Options {
    values = Map.copyOf(values);
  }

  static Options of(List<String> arguments) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      values.put(arguments.get(i), arguments.get(i + 1));
    }
    return new Options(values);
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    return Integer.parseInt(text(name, Integer.toString(otherwise)));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }
}
