package io.varve.coordinator.rest.ccr;

import io.varve.rpc.ApiException;
import java.util.Map;
import java.util.Set;

/** Reads the bodies of requests that name a leader index. */
final class FollowBodies {

  private FollowBodies() {}

  /**
   * @throws ApiException 400 for a field that is neither one of {@code known} nor a parameter of
   *     following
   */
  static void refuseUnknown(String request, Map<String, Object> body, Set<String> known) {
    for (String key : body.keySet()) {
      if (!known.contains(key) && !FollowParameterParser.NAMES.contains(key)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[" + request + "] unknown field [" + key + "]");
      }
    }
  }

  /** A text that must be present. */
  static String text(Map<String, Object> body, String key) {
    if (body.get(key) instanceof String value && !value.isEmpty()) {
      return value;
    }
    throw new ApiException(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: " + key + " is missing;");
  }
}
