package io.varve.clients.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One operation from the server's OpenAPI document.
 *
 * @param query the type or pattern from the schema, keyed by parameter name
 * @param example the example of the body, as text; {@code null} if there is none
 */
record Operation(
    String method,
    String path,
    Map<String, String> query,
    boolean lines,
    @Nullable String example) {

  static List<Operation> of(JsonNode document) {
    List<Operation> operations = new ArrayList<>();
    JsonNode common = document.path("components").path("parameters");
    document
        .path("paths")
        .forEachEntry((path, methods) ->
            methods.forEachEntry((method, o) ->
                operations.add(operation(method.toUpperCase(Locale.ROOT), path, o, common))));
    return operations;
  }

  private static Operation operation(String method, String path, JsonNode o, JsonNode common) {
    Map<String, String> query = new TreeMap<>();
    for (JsonNode parameter : o.path("parameters")) {
      String reference = parameter.path("$ref").asString("");
      JsonNode own =
          reference.isEmpty()
              ? parameter
              : common.path(reference.substring(reference.lastIndexOf('/') + 1));
      if (own.path("in").asString("").equals("query")) {
        JsonNode schema = own.path("schema");
        query.put(
            own.path("name").asString(),
            schema.has("pattern") ? "time" : schema.path("type").asString());
      }
    }
    JsonNode content = o.path("requestBody").path("content");
    boolean lines = content.has("application/x-ndjson");
    JsonNode example =
        content.path(lines ? "application/x-ndjson" : "application/json").path("example");
    String text =
        example.isMissingNode()
            ? null
            : example.isString() ? example.asString() : example.toString();
    return new Operation(method, path, query, lines, text);
  }
}
