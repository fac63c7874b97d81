package io.varve.rest;

import java.util.Map;

/**
 * An example request that an endpoint accepts: values of its required parameters, and a body.
 *
 * @param body empty if the endpoint needs none
 */
public record RequestExample(Map<String, String> parameters, String body) {

  /** For endpoints without required parameters and body. */
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
