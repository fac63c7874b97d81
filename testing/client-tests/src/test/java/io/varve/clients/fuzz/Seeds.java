package io.varve.clients.fuzz;

import io.varve.events.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The meaningful requests that are mutated: those of OpenSearch's own REST tests, by path and
 * method.
 */
final class Seeds {

  /** The parameters of path and query, and the body: a tree, text, or {@code null}. */
  record Call(Map<String, String> parameters, @Nullable Object body) {}

  private final Map<String, List<Call>> byPath = new TreeMap<>();
  private final List<Object> bodies = new ArrayList<>();

  private Seeds() {}

  static Seeds ofSpecification() throws IOException {
    URI jar =
        URI.create(
            Seeds.class.getResource("/rest-api-spec/api/search.json").toString().split("!")[0]);
    Seeds seeds = new Seeds();
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
      Map<String, List<Call>> calls = new TreeMap<>();
      for (Path test : under(files.getPath("/rest-api-spec/test"), ".yml")) {
        collect(Files.readString(test), calls);
      }
      for (Path api : under(files.getPath("/rest-api-spec/api"), ".json")) {
        seeds.addApi(Json.mapper().readTree(Files.readString(api)), calls);
      }
    }
    seeds
        .byPath
        .values()
        .forEach(all ->
            all.forEach(call -> {
              if (call.body() != null) {
                seeds.bodies.add(call.body());
              }
            }));
    return seeds;
  }

  private static List<Path> under(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  private static void collect(String yaml, Map<String, List<Call>> calls) {
    try (MappingIterator<Object> documents =
        new YAMLMapper().readerFor(Object.class).readValues(yaml)) {
      while (documents.hasNext()) {
        collect(documents.next(), calls);
      }
    } catch (JacksonException e) {
      // Jackson can't parse this YAML.
      return;
    }
  }

  private static void collect(@Nullable Object node, Map<String, List<Call>> calls) {
    switch (node) {
      case Map<?, ?> map -> {
        if (map.get("do") instanceof Map<?, ?> step) {
          step.forEach((name, arguments) -> {
            if (arguments instanceof Map<?, ?> given) {
              calls.computeIfAbsent(String.valueOf(name), n -> new ArrayList<>()).add(call(given));
            }
          });
        }
        map.values().forEach(value -> collect(value, calls));
      }
      case List<?> list -> list.forEach(element -> collect(element, calls));
      case null, default -> {
        // A leaf has no children.
      }
    }
  }

  private static Call call(Map<?, ?> given) {
    Map<String, String> parameters = new LinkedHashMap<>();
    given.forEach((name, value) -> {
      if (!"body".equals(name) && value != null) {
        String text =
            value instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : value.toString();
        parameters.put(String.valueOf(name), text);
      }
    });
    return new Call(parameters, given.get("body"));
  }

  private void addApi(JsonNode api, Map<String, List<Call>> calls) {
    api.forEachEntry((name, description) -> {
      List<Call> own = calls.getOrDefault(name, List.of());
      for (JsonNode path : description.path("url").path("paths")) {
        for (JsonNode method : path.path("methods")) {
          byPath
              .computeIfAbsent(
                  key(method.asString(), path.path("path").asString()), k -> new ArrayList<>())
              .addAll(own);
        }
      }
    });
  }

  private static String key(String method, String path) {
    return method + " " + path.replaceAll("\\{[^}]*}", "{}");
  }

  List<Call> of(String method, String path) {
    return byPath.getOrDefault(key(method, path), List.of());
  }

  List<Object> bodies() {
    return bodies;
  }
}
