package io.varve.rest;

import io.varve.events.Json;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that are too malformed to reach the dispatcher, with an error body of the
 * dialect instead of an HTML page. Then the connection is closed, because the start of the next
 * request is unknown.
 */
public final class UnreadableRequests extends ErrorHandler {

  private static final String JSON = "application/json; charset=UTF-8";

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int status,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    response.write(true, ByteBuffer.wrap(bytes(status, message)), callback);
  }

  private static byte[] bytes(int status, @Nullable String reason) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", reason == null ? "the request can't be read" : reason);
    body.put("status", status);
    return Json.write(body);
  }
}
