package io.varve.conformance.spec;

import io.varve.conformance.spec.ApiSpec.Path;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds the request of a call. Among the URL variants whose parts are all given, it chooses the
 * one with the most parts. It chooses the first method or, for a call with a body, the first method
 * that usually has a body.
 */
public final class RequestBuilder {

  /** Thrown when a call violates the endpoint's specification, so that no request can be built. */
  public static final class BadCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadCallException(String message) {
      super(message);
    }
  }

  private RequestBuilder() {}

  public static ApiRequest build(
      ApiSpec spec, Map<String, @Nullable Object> parameters, List<Object> bodies) {
    checkBody(spec, bodies);
    Path path = path(spec, parameters);
    Map<String, String> query = new LinkedHashMap<>();
    Map<String, String> parts = new HashMap<>();
    for (Map.Entry<String, @Nullable Object> parameter : parameters.entrySet()) {
      String name = parameter.getKey();
      String value = text(parameter.getValue());
      if (path.parts().contains(name)) {
        parts.put(name, value);
      } else if (spec.parameters().contains(name)) {
        query.put(name, value);
      } else {
        throw new BadCallException("[" + spec.name() + "] has no parameter [" + name + "]");
      }
    }
    for (String required : new TreeSet<>(spec.required())) {
      if (!query.containsKey(required)) {
        throw new BadCallException("[" + spec.name() + "] lacks [" + required + "]");
      }
    }
    return new ApiRequest(
        method(path, !bodies.isEmpty()), fill(path.template(), parts) + query(query), bodies);
  }

  private static void checkBody(ApiSpec spec, List<Object> bodies) {
    if (spec.body() == ApiSpec.Body.NONE && !bodies.isEmpty()) {
      throw new BadCallException("[" + spec.name() + "] has no body");
    }
    if (spec.body() == ApiSpec.Body.REQUIRED && bodies.isEmpty()) {
      throw new BadCallException("[" + spec.name() + "] requires a body");
    }
  }

  private static Path path(ApiSpec spec, Map<String, @Nullable Object> parameters) {
    return spec.paths().stream()
        .filter(path -> parameters.keySet().containsAll(path.parts()))
        .max(
            Comparator.<Path>comparingInt(path -> path.parts().size())
                .thenComparing(path -> !path.deprecated())
                .thenComparingInt(path -> -spec.paths().indexOf(path)))
        .orElseThrow(() ->
            new BadCallException("[" + spec.name() + "] has no URL for " + parameters.keySet()));
  }

  private static String method(Path path, boolean withBody) {
    if (withBody) {
      for (String method : path.methods()) {
        if (!method.equals("GET") && !method.equals("HEAD")) {
          return method;
        }
      }
    }
    return path.methods().getFirst();
  }

  private static String fill(String template, Map<String, String> parts) {
    String filled = template;
    for (Map.Entry<String, String> part : parts.entrySet()) {
      filled = filled.replace("{" + part.getKey() + "}", encode(part.getValue()));
    }
    return filled;
  }

  private static String query(Map<String, String> query) {
    if (query.isEmpty()) {
      return "";
    }
    StringJoiner joiner = new StringJoiner("&", "?", "");
    query.forEach((name, value) -> joiner.add(encode(name) + "=" + encode(value)));
    return joiner.toString();
  }

  private static String encode(String text) {
    // Commas separate names; clients send them unencoded.
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%2C", ",");
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
      default -> value.toString();
    };
  }
}
