package io.varve.coordinator.rest.ccr;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests to {@code _plugins/_replication}. */
final class ReplicationBodies {

  private ReplicationBodies() {}

  /**
   * The body, empty if there is none.
   *
   * @throws ApiException 400 if it has other keys than these
   */
  static Map<String, Object> of(RestRequest request, Set<String> keys) {
    Map<String, Object> body = request.hasBody() ? request.bodyAsMap() : Map.of();
    for (String key : body.keySet()) {
      if (key.equals("use_roles")) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "[use_roles] is not supported: a follower reads its leader with the credentials of"
                    + " the remote cluster, and no user's roles"));
      }
      if (!keys.contains(key)) {
        throw new ApiException(ErrorBody.illegalArgument("unknown field [" + key + "]"));
      }
    }
    return body;
  }

  /**
   * @throws ApiException 400 unless it is a text that is not empty
   */
  static String text(Map<String, Object> body, String key) {
    String value = optionalText(body, key);
    if (value == null) {
      throw new ApiException(
          ErrorBodies.validation(List.of("Mandatory params " + List.of(key) + " are missing")));
    }
    return value;
  }

  static @Nullable String optionalText(Map<String, Object> body, String key) {
    return switch (body.get(key)) {
      case null -> null;
      case String text when !text.isEmpty() -> text;
      default -> throw new ApiException(ErrorBody.illegalArgument("[" + key + "] must be a text"));
    };
  }
}
