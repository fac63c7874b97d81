package io.varve.analysis;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The name and the parameters of an analysis part.
 *
 * @param kind analyzer, tokenizer, filter, char_filter or normalizer
 * @param values strings, numbers, booleans and lists; only strings if they come from index settings
 */
public record ComponentOptions(String kind, String name, Map<String, Object> values) {

  public ComponentOptions {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  static ComponentOptions none(String kind, String name) {
    return new ComponentOptions(kind, name, Map.of());
  }

  /** The parameters under a prefix of flat settings; {@code a.0, a.1} become the list {@code a}. */
  static ComponentOptions ofFlat(String kind, String name, Map<String, String> flat) {
    Map<String, Object> values = new TreeMap<>();
    Map<String, TreeMap<Integer, String>> lists = new TreeMap<>();
    flat.forEach((key, value) -> {
      int dot = key.lastIndexOf('.');
      if (dot > 0 && key.substring(dot + 1).chars().allMatch(Character::isDigit)) {
        lists
            .computeIfAbsent(key.substring(0, dot), _ -> new TreeMap<>())
            .put(Integer.valueOf(key.substring(dot + 1)), value);
      } else {
        values.put(key, value);
      }
    });
    lists.forEach((key, list) -> values.put(key, List.copyOf(list.values())));
    return new ComponentOptions(kind, name, values);
  }

  boolean has(String key) {
    return values.get(key) != null;
  }

  @Nullable String text(String key) {
    Object value = values.get(key);
    return value == null ? null : value.toString();
  }

  String text(String key, String otherwise) {
    String value = text(key);
    return value == null ? otherwise : value;
  }

  int whole(String key, int otherwise) {
    String value = text(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return Integer.parseInt(value.strip());
    } catch (NumberFormatException e) {
      throw AnalysisException.illegal(
          "Failed to parse value [" + value + "] for setting [" + settingName(key) + "]");
    }
  }

  /** A number that must be at least 1. */
  int positive(String key, int otherwise) {
    int value = whole(key, otherwise);
    if (value < 1) {
      throw AnalysisException.illegal(key + " must be greater than zero");
    }
    return value;
  }

  float decimal(String key, float otherwise) {
    String value = text(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return Float.parseFloat(value.strip());
    } catch (NumberFormatException e) {
      throw AnalysisException.illegal(
          "Failed to parse value [" + value + "] for setting [" + settingName(key) + "]");
    }
  }

  boolean flag(String key, boolean otherwise) {
    String value = text(key);
    return switch (value) {
      case null -> otherwise;
      case "true" -> true;
      case "false" -> false;
      default ->
          throw AnalysisException.illegal(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  /** A list, or a string with commas; null if it is not set. */
  @Nullable List<String> list(String key) {
    Object value = values.get(key);
    return switch (value) {
      case null -> null;
      case List<?> list -> list.stream().map(String::valueOf).toList();
      default ->
          Arrays.stream(value.toString().split(",", -1))
              .map(String::strip)
              .filter(part -> !part.isEmpty())
              .toList();
    };
  }

  List<String> list(String key, List<String> otherwise) {
    List<String> value = list(key);
    return value == null ? otherwise : value;
  }

  private String settingName(String key) {
    return "index.analysis." + kind + "." + name + "." + key;
  }

  /**
   * Refuses options that name files, because all copies of an index must analyze text in the same
   * way.
   */
  void refuseFiles(String... keys) {
    for (String key : keys) {
      if (has(key)) {
        throw AnalysisException.illegal(
            "["
                + key
                + "] of "
                + kind
                + " ["
                + name
                + "] reads a file, which is not supported:"
                + " put the words into the settings");
      }
    }
  }
}
