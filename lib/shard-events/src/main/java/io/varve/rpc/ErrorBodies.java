package io.varve.rpc;

import io.varve.events.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The one mapping between {@link ErrorBody} and the JSON of an error.
 *
 * <p>{@code root_cause} repeats the error itself without its cause, unless the error has its own
 * list in the field {@value #ROOT_CAUSE}.
 */
public final class ErrorBodies {

  public static final String ROOT_CAUSE = "root_cause";

  private ErrorBodies() {}

  /** {@code {"error":{"root_cause":[…],"type":…,"reason":…},"status":…}}. */
  public static Map<String, Object> response(ErrorBody error, @Nullable String stackTrace) {
    Map<String, Object> inner = new LinkedHashMap<>();
    inner.put(ROOT_CAUSE, rootCause(error));
    inner.putAll(error.toMap());
    if (stackTrace != null) {
      inner.put("stack_trace", stackTrace);
    }
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("error", inner);
    response.put("status", error.status());
    return response;
  }

  private static Object rootCause(ErrorBody error) {
    Object own = error.fields().get(ROOT_CAUSE);
    if (own != null) {
      return own;
    }
    Map<String, Object> cause = new LinkedHashMap<>(error.toMap());
    cause.remove("caused_by");
    cause.remove("failed_shards");
    return List.of(cause);
  }

  /**
   * The error with which another node answered; an unreadable body becomes an error that reports
   * this.
   */
  public static ErrorBody read(int status, byte[] body) {
    int errorStatus = status >= 400 && status <= 599 ? status : 500;
    try {
      Map<?, ?> response = Json.mapper().readValue(body, Map.class);
      if (response.get("error") instanceof Map<?, ?> error) {
        return of(errorStatus, error);
      }
    } catch (JacksonException e) {
      return unreadable(errorStatus, e.getOriginalMessage());
    }
    return unreadable(errorStatus, "it has no error object");
  }

  private static ErrorBody unreadable(int status, String why) {
    return ErrorBody.of(
        status, "remote_transport_exception", "a node answered " + status + ", unreadable: " + why);
  }

  private static ErrorBody of(int status, Map<?, ?> error) {
    Map<String, Object> fields = new LinkedHashMap<>();
    ErrorBody cause = null;
    for (Map.Entry<?, ?> entry : error.entrySet()) {
      String name = String.valueOf(entry.getKey());
      switch (name) {
        case "type", "reason", ROOT_CAUSE -> {}
        case "caused_by" -> cause = entry.getValue() instanceof Map<?, ?> m ? of(status, m) : null;
        default -> {
          if (entry.getValue() != null) {
            fields.put(name, entry.getValue());
          }
        }
      }
    }
    return new ErrorBody(
        status, text(error, "type", "exception"), text(error, "reason", ""), fields, cause);
  }

  private static String text(Map<?, ?> map, String key, String whenMissing) {
    Object value = map.get(key);
    return value == null ? whenMissing : value.toString();
  }

  public static ErrorBody indexNotFound(String expression, String resourceType) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("index", expression);
    fields.put("resource.id", expression);
    fields.put("resource.type", resourceType);
    fields.put("index_uuid", "_na_");
    return new ErrorBody(
        404, "index_not_found_exception", "no such index [" + expression + "]", fields, null);
  }

  /** "Validation Failed: 1: …;2: …;". */
  public static ErrorBody validation(List<String> problems) {
    StringBuilder reason = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < problems.size(); i++) {
      reason.append(i + 1).append(": ").append(problems.get(i)).append(';');
    }
    return ErrorBody.of(400, "action_request_validation_exception", reason.toString());
  }
}
