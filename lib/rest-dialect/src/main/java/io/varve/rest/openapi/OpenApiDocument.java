package io.varve.rest.openapi;

import io.varve.events.Json;
import io.varve.rest.Build;
import io.varve.rest.ParameterKind;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Describes routes as an OpenAPI 3.1 document.
 *
 * <p>Paths and methods come from the routes, parameters and bodies from an {@link EndpointProbe} of
 * each route. Paths that differ only in the names of their parameters are listed as one path, with
 * the names of the first.
 */
public final class OpenApiDocument {

  private static final String JSON = "application/json";
  private static final String LINES = "application/x-ndjson";
  private static final String TIME = "^-?\\d+(nanos|micros|ms|s|m|h|d)?$";

  private final Map<String, Map<String, Object>> paths = new TreeMap<>();
  private final Map<String, String> pathOfShape = new LinkedHashMap<>();

  private OpenApiDocument() {}

  public static Map<String, Object> of(Collection<? extends RestEndpoint> endpoints) {
    OpenApiDocument document = new OpenApiDocument();
    for (RestEndpoint endpoint : endpoints) {
      endpoint.routes().forEach(route -> document.add(endpoint, route));
    }
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("openapi", "3.1.0");
    root.put("info", info());
    root.put("servers", List.of(Map.of("url", "/")));
    root.put("paths", document.paths);
    root.put("components", components());
    return root;
  }

  private static Map<String, Object> info() {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("title", "Varve");
    info.put(
        "description",
        "The REST dialect of OpenSearch " + Build.DIALECT + " as supported by this build.");
    info.put("version", Build.hash());
    info.put("license", Map.of("name", "Apache-2.0", "identifier", "Apache-2.0"));
    return info;
  }

  private void add(RestEndpoint endpoint, Route route) {
    String shape = route.template().replaceAll("\\{[^}]*}", "{}");
    String path = pathOfShape.computeIfAbsent(shape, s -> route.template());
    paths
        .computeIfAbsent(path, p -> new TreeMap<>())
        .put(
            route.method().name().toLowerCase(Locale.ROOT),
            operation(endpoint, route, new Route(route.method(), path)));
  }

  private static Map<String, Object> operation(
      RestEndpoint endpoint, Route route, Route documented) {
    EndpointProbe probe = EndpointProbe.of(endpoint, route);
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("operationId", operationId(route));
    operation.put("tags", List.of(tag(route)));
    operation.put("parameters", parameters(documented, probe, endpoint.example()));
    if (probe.body() != EndpointProbe.Body.NONE) {
      operation.put("requestBody", body(endpoint, probe));
    }
    operation.put("responses", responses(route));
    return operation;
  }

  /** {@code get_index_doc_id} for {@code GET /{index}/_doc/{id}}. */
  private static String operationId(Route route) {
    String words = route.template().replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "");
    return route.method().name().toLowerCase(Locale.ROOT) + (words.isEmpty() ? "" : "_" + words);
  }

  /**
   * The first segment of a path that is not a parameter: {@code search} for {@code
   * /{index}/_search}.
   */
  private static String tag(Route route) {
    for (String segment : route.template().split("/", -1)) {
      if (!segment.isEmpty() && !segment.startsWith("{")) {
        return segment.startsWith("_") ? segment.substring(1) : segment;
      }
    }
    return route.parameters().isEmpty() ? "root" : "index";
  }

  private static List<Map<String, Object>> parameters(
      Route route, EndpointProbe probe, RequestExample example) {
    List<Map<String, Object>> parameters = new ArrayList<>();
    for (String name : route.parameters()) {
      Map<String, Object> parameter = new LinkedHashMap<>();
      parameter.put("name", name);
      parameter.put("in", "path");
      parameter.put("required", true);
      parameter.put("schema", Map.of("type", "string", "minLength", 1));
      putExample(parameter, example, name);
      parameters.add(parameter);
    }
    probe
        .parameters()
        .forEach((name, kind) -> {
          Map<String, Object> parameter = query(name, kind);
          putExample(parameter, example, name);
          parameters.add(parameter);
        });
    for (String name : new TreeMap<>(RestRequest.COMMON).keySet()) {
      parameters.add(Map.of("$ref", "#/components/parameters/" + name));
    }
    return parameters;
  }

  private static void putExample(
      Map<String, Object> parameter, RequestExample example, String name) {
    String value = example.parameters().get(name);
    if (value != null) {
      parameter.put("example", value);
    }
  }

  private static Map<String, Object> query(String name, ParameterKind kind) {
    Map<String, Object> parameter = new LinkedHashMap<>();
    parameter.put("name", name);
    parameter.put("in", "query");
    if (kind == ParameterKind.LIST) {
      parameter.put("style", "form");
      parameter.put("explode", false);
    }
    parameter.put("schema", schema(kind));
    return parameter;
  }

  private static Map<String, Object> schema(ParameterKind kind) {
    return switch (kind) {
      case TEXT -> Map.of("type", "string");
      case FLAG -> Map.of("type", "boolean");
      case INTEGER -> Map.of("type", "integer", "format", "int32");
      case LONG -> Map.of("type", "integer", "format", "int64");
      case TIME -> Map.of("type", "string", "pattern", TIME);
      case LIST -> Map.of("type", "array", "items", Map.of("type", "string"));
    };
  }

  private static Map<String, Object> body(RestEndpoint endpoint, EndpointProbe probe) {
    boolean required = probe.body() == EndpointProbe.Body.REQUIRED;
    String example = endpoint.example().body();
    Map<String, Object> content = new LinkedHashMap<>();
    // An endpoint that reads NDJSON but does not require it accepts an object as well.
    if (!endpoint.readsLines() || !required) {
      JsonNode json = example.isEmpty() ? null : Json.mapper().readTree(example);
      content.put(JSON, media(json != null && json.isArray() ? "array" : "object", json));
    }
    if (endpoint.readsLines()) {
      content.put(LINES, media("string", example.isEmpty() ? null : example));
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("required", required);
    body.put("content", content);
    return body;
  }

  private static Map<String, Object> media(String type, @Nullable Object example) {
    Map<String, Object> media = new LinkedHashMap<>();
    media.put("schema", Map.of("type", type));
    if (example != null) {
      media.put("example", example);
    }
    return media;
  }

  private static Map<String, Object> responses(Route route) {
    Map<String, Object> responses = new LinkedHashMap<>();
    if (route.method() == RestMethod.HEAD) {
      responses.put("200", Map.of("description", "It exists."));
      responses.put("404", Map.of("description", "It does not exist."));
      return responses;
    }
    Map<String, Object> content = new LinkedHashMap<>();
    content.put(JSON, Map.of());
    if (route.template().startsWith("/_cat")) {
      content.put("text/plain", Map.of("schema", Map.of("type", "string")));
    }
    responses.put("2XX", Map.of("description", "The answer.", "content", content));
    responses.put("default", Map.of("$ref", "#/components/responses/error"));
    return responses;
  }

  private static Map<String, Object> components() {
    Map<String, Object> common = new TreeMap<>();
    RestRequest.COMMON.forEach((name, kind) -> common.put(name, query(name, kind)));
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("type", "object");
    error.put("required", List.of("error"));
    Map<String, Object> cause = new LinkedHashMap<>();
    cause.put("type", "object");
    cause.put("required", List.of("type", "reason", "root_cause"));
    cause.put(
        "properties",
        Map.of(
            "type", Map.of("type", "string"),
            "reason", Map.of("type", List.of("string", "null")),
            "root_cause", Map.of("type", "array", "items", Map.of("type", "object"))));
    error.put(
        "properties",
        Map.of(
            "error", Map.of("oneOf", List.of(cause, Map.of("type", "string"))),
            "status", Map.of("type", "integer")));
    Map<String, Object> components = new LinkedHashMap<>();
    components.put("parameters", common);
    components.put(
        "responses",
        Map.of(
            "error",
            Map.of(
                "description",
                "An error, with its type and reason.",
                "content",
                Map.of(JSON, Map.of("schema", Map.of("$ref", "#/components/schemas/error"))))));
    components.put("schemas", Map.of("error", error));
    return components;
  }
}
