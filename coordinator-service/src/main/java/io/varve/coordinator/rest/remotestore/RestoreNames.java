package io.varve.coordinator.rest.remotestore;

import io.varve.names.Wildcard;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.StoredIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Selects stored indices by names, patterns, and exclusions with a minus. */
final class RestoreNames {

  private RestoreNames() {}

  /** Returns the names in the body's {@code indices}. */
  static List<String> of(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!key.equals("indices")) {
        throw new ApiException(ErrorBody.illegalArgument("Unknown parameter " + key));
      }
    }
    List<String> names = new ArrayList<>();
    switch (body.get("indices")) {
      case String text -> names.addAll(Arrays.asList(text.split(",", -1)));
      case Collection<?> many -> many.forEach(one -> names.add(String.valueOf(one)));
      case null, default -> {}
    }
    if (names.isEmpty()) {
      throw new ApiException(
          400, "action_request_validation_exception", "Validation Failed: 1: indices are missing;");
    }
    return names;
  }

  /** Returns the newest stored index of each name, except names that the cluster knows. */
  static List<StoredIndex.Entry> choose(
      List<String> wanted, List<StoredIndex.Entry> stored, Set<String> known) {
    Map<String, StoredIndex.Entry> newest = new LinkedHashMap<>();
    for (StoredIndex.Entry entry : stored) {
      newest.merge(
          entry.name(),
          entry,
          (one, other) -> one.createdMillis() >= other.createdMillis() ? one : other);
    }
    Set<String> present = new LinkedHashSet<>(newest.keySet());
    present.addAll(known);
    return among(wanted, present).stream()
        .filter(name -> !known.contains(name))
        .map(newest::get)
        .toList();
  }

  /**
   * @throws ApiException if a name without wildcards is not stored
   */
  static Set<String> among(List<String> wanted, Set<String> present) {
    Set<String> chosen = new LinkedHashSet<>();
    for (String expression : wanted) {
      if (expression.startsWith("-")) {
        chosen.removeIf(name -> Wildcard.matches(expression.substring(1), name));
      } else if (Wildcard.isPattern(expression)) {
        present.stream().filter(name -> Wildcard.matches(expression, name)).forEach(chosen::add);
      } else if (present.contains(expression)) {
        chosen.add(expression);
      } else {
        throw new ApiException(
            ErrorBody.of(
                    404,
                    "index_not_found_exception",
                    "no such index [" + expression + "] is stored")
                .with("index", expression));
      }
    }
    return chosen;
  }
}
