package io.varve.coordinator.rest.document;

import io.varve.events.Json;
import io.varve.rest.RestRequest;
import io.varve.search.source.SourceFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/** Reads the parameters by which a request selects parts of {@code _source}. */
final class SourceParameters {

  private static final ObjectReader VALUE =
      Json.mapper().readerFor(Object.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private SourceParameters() {}

  /** Reads a source filter at the parser's position. */
  static @Nullable SourceFilter read(JsonParser in) {
    Object value = VALUE.readValue(in);
    return of(value);
  }

  /**
   * Reads {@code _source}, {@code _source_includes} and {@code _source_excludes}; null if all are
   * missing.
   */
  static @Nullable SourceFilter of(RestRequest request) {
    String source = request.param("_source");
    List<String> includes = new ArrayList<>(request.list("_source_includes"));
    List<String> excludes = request.list("_source_excludes");
    if (source == null && includes.isEmpty() && excludes.isEmpty()) {
      return null;
    }
    if ("false".equals(source)) {
      return SourceFilter.NONE;
    }
    if (source != null && !source.isEmpty() && !source.equals("true")) {
      includes.addAll(List.of(source.split(",", -1)));
    }
    return new SourceFilter(true, includes, excludes);
  }

  /** Converts the value of {@code _source} in a body; null if it is missing. */
  static @Nullable SourceFilter of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean shown -> shown ? SourceFilter.ALL : SourceFilter.NONE;
      case List<?> includes -> new SourceFilter(true, names(includes), List.of());
      case Map<?, ?> map ->
          new SourceFilter(
              true,
              names(first(map, "includes", "include")),
              names(first(map, "excludes", "exclude")));
      default -> of(value.toString());
    };
  }

  private static SourceFilter of(String text) {
    return switch (text) {
      case "true" -> SourceFilter.ALL;
      case "false" -> SourceFilter.NONE;
      default -> new SourceFilter(true, List.of(text.split(",", -1)), List.of());
    };
  }

  private static @Nullable Object first(Map<?, ?> map, String name, String otherName) {
    Object value = map.get(name);
    return value == null ? map.get(otherName) : value;
  }

  private static List<String> names(@Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> list.stream().map(String::valueOf).toList();
      default -> List.of(value.toString());
    };
  }
}
