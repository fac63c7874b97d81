package io.varve.coordinator.rest.document;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/** When a write becomes visible to searches, relative to its response. */
public enum RefreshPolicy {
  /** Some time after the response. */
  NONE,
  /** Before the response, by an immediate refresh. */
  IMMEDIATE,
  /** Before the response, by the next scheduled refresh. */
  WAIT_FOR;

  static RefreshPolicy of(RestRequest request) {
    String value = request.param("refresh");
    return switch (value) {
      case null -> NONE;
      case "false" -> NONE;
      case "", "true" -> IMMEDIATE;
      case "wait_for" -> WAIT_FOR;
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument("Unknown value for refresh: [" + value + "]."));
    };
  }
}
