package io.varve.coordinator.rest.document;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/** When a write is visible to searches: some time later, or before it is answered. */
public enum RefreshPolicy {
  /** Some time later. */
  NONE,
  /** Before the answer, by a refresh at once. */
  IMMEDIATE,
  /** Before the answer, by the refresh that comes anyway. */
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
