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

/** Known settings by name. Names without a pattern go first. */
final class SettingRegistry {

  /** Names that are more alike are offered for one that is unknown. */
  private static final double NEAR = 0.7;

  private final Map<String, Setting> byName = new LinkedHashMap<>();

  @SafeVarargs
  SettingRegistry(List<Setting>... groups) {
    for (List<Setting> group : groups) {
      for (Setting setting : group) {
        if (byName.put(setting.name(), setting) != null) {
          throw new IllegalArgumentException("setting " + setting.name() + " is there twice");
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

  /** Why these can't be set: the first reason by order of names. {@code null} values reset. */
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
