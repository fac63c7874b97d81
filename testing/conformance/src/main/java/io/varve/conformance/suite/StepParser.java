package io.varve.conformance.suite;

import io.varve.conformance.suite.Step.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Converts the parsed YAML of a test into steps. */
final class StepParser {

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private StepParser() {}

  /** Parses the YAML {@code - kind: argument}. */
  static Step parse(String kind, @Nullable Object argument) {
    return switch (kind) {
      case "do" -> call(map(argument, kind));
      case "match" -> new Step.Match(onlyKey(argument, kind), onlyValue(argument, kind));
      case "length" -> new Step.Length(onlyKey(argument, kind), required(argument, kind));
      case "is_true" -> new Step.IsTrue(text(argument));
      case "is_false" -> new Step.IsFalse(text(argument));
      case "lt", "lte", "gt", "gte" ->
          new Step.Compare(
              Order.valueOf(kind.toUpperCase(Locale.ROOT)),
              onlyKey(argument, kind),
              required(argument, kind));
      case "contains" -> new Step.Contains(onlyKey(argument, kind), onlyValue(argument, kind));
      case "close_to" -> closeTo(argument, kind);
      case "set" -> new Step.Keep(texts(map(argument, kind)));
      case "transform_and_set" -> new Step.Transform(texts(map(argument, kind)));
      default -> throw new SuiteException("unknown step [" + kind + "]");
    };
  }

  /**
   * Parses a call. If it names several endpoints, the last one counts, as in OpenSearch's runner.
   */
  private static Step.Call call(Map<String, @Nullable Object> argument) {
    String api = null;
    Object details = null;
    String caught = null;
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    List<String> warnings = List.of();
    List<String> allowed = List.of();
    for (Map.Entry<String, @Nullable Object> entry : argument.entrySet()) {
      switch (entry.getKey()) {
        case "catch" -> caught = text(entry.getValue());
        case "headers" -> headers.putAll(texts(map(entry.getValue(), "headers")));
        case "warnings" -> warnings = list(entry.getValue());
        case "allowed_warnings" -> allowed = list(entry.getValue());
        // Only one URL is used, so every selector selects the same node.
        case "node_selector" -> {}
        default -> {
          api = entry.getKey();
          details = entry.getValue();
        }
      }
    }
    if (api == null) {
      throw new SuiteException("a call without an endpoint: " + argument);
    }
    return call(api, details, caught, headers, warnings, allowed);
  }

  private static Step.Call call(
      String api,
      @Nullable Object details,
      @Nullable String caught,
      Map<String, String> headers,
      List<String> warnings,
      List<String> allowed) {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    List<Object> bodies = new ArrayList<>();
    List<Integer> ignored = new ArrayList<>();
    if (details != null) {
      map(details, api)
          .forEach((name, value) -> {
            switch (name) {
              case "body" -> addBodies(value, bodies);
              case "ignore" -> list(value).forEach(s -> ignored.add(Integer.valueOf(s)));
              default -> parameters.put(name, value);
            }
          });
    }
    Step.Terms terms = new Step.Terms(caught, ignored, headers, warnings, allowed);
    return new Step.Call(api, parameters, bodies, terms);
  }

  private static void addBodies(@Nullable Object value, List<Object> bodies) {
    switch (value) {
      case null -> {}
      case String text -> addTexts(text, bodies);
      case List<?> list -> list.forEach(one -> addBodies(one, bodies));
      default -> bodies.add(value);
    }
  }

  /** Adds the bodies in a text, which may consist of several concatenated JSON objects. */
  private static void addTexts(String text, List<Object> bodies) {
    try (JsonParser parser = JSON.createParser(text);
        MappingIterator<Object> values = JSON.readerFor(Object.class).readValues(parser)) {
      values.forEachRemaining(bodies::add);
    }
  }

  private static Step closeTo(@Nullable Object argument, String kind) {
    Map<String, @Nullable Object> bounds = map(required(argument, kind), kind);
    return new Step.CloseTo(
        onlyKey(argument, kind),
        (Number) notNull(bounds.get("value"), "value of close_to"),
        (Number) notNull(bounds.get("error"), "error of close_to"));
  }

  private static String onlyKey(@Nullable Object argument, String kind) {
    return onlyEntry(argument, kind).getKey();
  }

  private static @Nullable Object onlyValue(@Nullable Object argument, String kind) {
    return onlyEntry(argument, kind).getValue();
  }

  private static Map.Entry<String, @Nullable Object> onlyEntry(
      @Nullable Object argument, String kind) {
    Map<String, @Nullable Object> map = map(argument, kind);
    if (map.size() != 1) {
      throw new SuiteException("[" + kind + "] requires one path, was " + map.keySet());
    }
    return map.entrySet().iterator().next();
  }

  private static Object required(@Nullable Object argument, String kind) {
    return notNull(onlyValue(argument, kind), kind);
  }

  private static Object notNull(@Nullable Object value, String what) {
    if (value == null) {
      throw new SuiteException("[" + what + "] lacks a value");
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> map(@Nullable Object value, String what) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new SuiteException("[" + what + "] requires an object, was [" + value + "]");
  }

  static List<String> list(@Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> list.stream().map(String::valueOf).map(String::strip).toList();
      default -> List.of(value.toString().split("\\s*,\\s*"));
    };
  }

  private static Map<String, String> texts(Map<String, @Nullable Object> map) {
    Map<String, String> texts = new LinkedHashMap<>();
    map.forEach((key, value) -> texts.put(key, text(value)));
    return texts;
  }

  static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
