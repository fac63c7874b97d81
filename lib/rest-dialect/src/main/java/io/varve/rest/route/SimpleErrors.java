package io.varve.rest.route;

import java.util.LinkedHashMap;
import java.util.Map;

/** Errors that are a text instead of an object with a type, as in OpenSearch. */
final class SimpleErrors {

  private SimpleErrors() {}

  static RestResponse answer(RestCall call, int status, String error) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", error);
    body.put("status", status);
    call.responder().json(status, body);
    return call.response();
  }
}
