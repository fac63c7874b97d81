package io.varve.conformance.spec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds endpoints by name in the suite's API specifications. */
public final class ApiCatalog {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Set<String> COMMON =
      Set.of("pretty", "human", "error_trace", "source", "filter_path");

  private final Map<String, ApiSpec> byName = new HashMap<>();

  public ApiCatalog(List<String> descriptions) {
    for (String description : descriptions) {
      for (Map.Entry<String, JsonNode> entry : JSON.readTree(description).properties()) {
        if (entry.getValue().has("url")) {
          byName.put(entry.getKey(), spec(entry.getKey(), entry.getValue()));
        }
      }
    }
  }

  public ApiSpec find(String name) {
    ApiSpec spec = byName.get(name);
    if (spec == null) {
      throw new IllegalArgumentException(
          "the suite has no specification of the endpoint [" + name + "]");
    }
    return spec;
  }

  private static ApiSpec spec(String name, JsonNode description) {
    List<ApiSpec.Path> paths = new ArrayList<>();
    for (JsonNode path : description.path("url").path("paths")) {
      paths.add(path(path));
    }
    Set<String> parameters = new HashSet<>(COMMON);
    Set<String> required = new HashSet<>();
    for (Map.Entry<String, JsonNode> parameter : description.path("params").properties()) {
      parameters.add(parameter.getKey());
      if (parameter.getValue().path("required").asBoolean(false)) {
        required.add(parameter.getKey());
      }
    }
    return new ApiSpec(name, paths, parameters, body(description.path("body")), required);
  }

  private static ApiSpec.Path path(JsonNode path) {
    List<String> methods = new ArrayList<>();
    path.path("methods").forEach(method -> methods.add(method.asString()));
    return new ApiSpec.Path(
        path.path("path").asString(),
        methods,
        new HashSet<>(path.path("parts").propertyNames()),
        path.has("deprecated"));
  }

  private static ApiSpec.Body body(JsonNode body) {
    if (!body.isObject()) {
      return ApiSpec.Body.NONE;
    }
    return body.path("required").asBoolean(false) ? ApiSpec.Body.REQUIRED : ApiSpec.Body.OPTIONAL;
  }
}
