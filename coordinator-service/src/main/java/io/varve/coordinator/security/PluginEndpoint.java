package io.varve.coordinator.security;

import io.varve.rest.JsonObjects;
import io.varve.rest.RestEndpoint;
import io.varve.rpc.ErrorBody;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * An endpoint of OpenSearch's security plugin. Its errors have the form of the plugin: {@code
 * {"status":"NOT_FOUND","message":…}}.
 */
interface PluginEndpoint extends RestEndpoint {

  String API = "/_plugins/_security/api/";

  @Override
  default Map<String, Object> failure(ErrorBody error, @Nullable String stackTrace) {
    HttpStatus known = HttpStatus.resolve(error.status());
    String status = known == null ? Integer.toString(error.status()) : known.name();
    Map<String, Object> failure = JsonObjects.object("status", status, "message", error.reason());
    if (stackTrace != null) {
      failure.put("stack_trace", stackTrace);
    }
    return failure;
  }
}
