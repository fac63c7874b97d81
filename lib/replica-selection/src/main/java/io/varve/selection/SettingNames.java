package io.varve.selection;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Finds an enum constant by its name in settings. */
final class SettingNames {

  private SettingNames() {}

  static <T> T find(T[] constants, Function<T, String> name, String wanted) {
    for (T constant : constants) {
      if (name.apply(constant).equals(wanted)) {
        return constant;
      }
    }
    List<String> known = Arrays.stream(constants).map(name).toList();
    throw new IllegalArgumentException("[" + wanted + "] is none of " + known);
  }
}
