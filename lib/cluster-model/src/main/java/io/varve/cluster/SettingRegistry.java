package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import io.varve.text.Likeness;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The defined settings by name. Exact names take precedence over patterns. */
final class SettingRegistry {

  /** Minimum similarity of names that are suggested for an unknown one. */
  private static final double NEAR = 0.7;

  private final Map<String, Setting> byName = new LinkedHashMap<>();

  @SafeVarargs
  SettingRegistry(List<Setting>... groups) {
    for (List<Setting> group : groups) {
      for (Setting setting : group) {
        if (byName.put(setting.name(), setting) != null) {
          throw new IllegalArgumentException("setting " + setting.name() + " is defined twice");
        }
      }
    }
  }

  List<Setting> all() {
    return List.copyOf(byName.values());
  }

  Optional<Setting> find(String name) {
    Setting exact = byName.get(name);
    return exact != null
        ? Optional.of(exact)
        : byName.values().stream().filter(s -> s.isPattern() && s.matches(name)).findFirst();
  }

  String defaultOf(String name) {
    return find(name)
        .map(Setting::defaultValue)
        .orElseThrow(() -> new IllegalArgumentException("setting " + name + " has no default"));
  }

  /**
   * The first reason, in the order of names, for which these settings are refused. {@code null}
   * resets a setting.
   */
  Optional<ErrorBody> refusal(Map<String, @Nullable String> settings) {
    for (Map.Entry<String, @Nullable String> given : new TreeMap<>(settings).entrySet()) {
      Optional<Setting> known = find(given.getKey());
      if (known.isEmpty()) {
        return Optional.of(unknown(given.getKey()));
      }
      String value = given.getValue();
      ErrorBody refused = value == null ? null : known.get().refusal(given.getKey(), value);
      if (refused != null) {
        return Optional.of(refused);
      }
    }
    return Optional.empty();
  }

  private ErrorBody unknown(String name) {
    List<String> near =
        byName.keySet().stream()
            .filter(known -> Likeness.of(name, known) > NEAR)
            .sorted(
                Comparator.comparingDouble((String known) -> -Likeness.of(name, known))
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    String hint =
        switch (near.size()) {
          case 0 ->
              " please check that any required plugins are installed, or check the breaking changes"
                  + " documentation for removed settings";
          case 1 -> " did you mean [" + near.getFirst() + "]?";
          default -> " did you mean any of " + near + "?";
        };
    return ErrorBody.of(400, "settings_exception", "unknown setting [" + name + "]" + hint);
  }
}
