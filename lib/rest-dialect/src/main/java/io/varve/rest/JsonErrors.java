package io.varve.rest;

import io.varve.rpc.ErrorBody;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DatabindException;

/** The error texts for JSON that cannot be parsed, as in OpenSearch. */
public final class JsonErrors {

  private JsonErrors() {}

  public static ErrorBody of(JacksonException failure) {
    String type =
        failure instanceof DatabindException ? "x_content_parse_exception" : "json_parse_exception";
    return ErrorBody.of(400, type, reason(failure));
  }

  /** The reason, preceded by the position: {@code [1:12] Unexpected character …}. */
  private static String reason(JacksonException failure) {
    TokenStreamLocation at = failure.getLocation();
    String message = failure.getOriginalMessage();
    return at == null ? message : "[" + at.getLineNr() + ":" + at.getColumnNr() + "] " + message;
  }
}
