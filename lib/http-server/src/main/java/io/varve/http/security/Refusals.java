package io.varve.http.security;

import io.varve.events.Json;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes the responses to requests that are refused before their route is resolved. */
public final class Refusals {

  private Refusals() {}

  /** A 401 asks for a user and a password. The body of the request is not read. */
  public static void send(HttpServletResponse response, ErrorBody error) throws IOException {
    response.setStatus(error.status());
    if (error.status() == 401) {
      response.setHeader("WWW-Authenticate", "Basic realm=\"Varve\", charset=\"UTF-8\"");
    }
    response.setHeader("Connection", "close");
    byte[] body = Json.write(ErrorBodies.response(error, null));
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
