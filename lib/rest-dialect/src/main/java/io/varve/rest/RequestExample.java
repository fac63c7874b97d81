package io.varve.rest;

import java.util.Map;

/**
 * A request that an endpoint takes: values of parameters without which it refuses, and a body.
 *
 * @param body empty when the endpoint does without
 */
public record RequestExample(Map<String, String> parameters, String body) {

  /** For endpoints that take any path, no further parameter and no body. */
  public static final RequestExample NOTHING_NEEDED = new RequestExample(Map.of(), "");

  public RequestExample {
    parameters = Map.copyOf(parameters);
  }

  public static RequestExample ofBody(String body) {
    return new RequestExample(Map.of(), body);
  }

  public static RequestExample ofParameters(Map<String, String> parameters) {
    return new RequestExample(parameters, "");
  }
}
