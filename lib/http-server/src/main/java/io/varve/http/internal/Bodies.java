package io.varve.http.internal;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.SearchCallHeaders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;

/** Parameters and bodies of internal requests, and bodies of their responses. */
public final class Bodies {

  /** For larger bodies, memory is allocated only as they arrive. */
  private static final int READ_AT_ONCE_BYTES = 16 << 20;

  private Bodies() {}

  public static byte[] read(HttpServletRequest request) throws IOException {
    long length = request.getContentLengthLong();
    if (length > Integer.MAX_VALUE - 16) {
      throw new ApiException(413, "content_too_long_exception", "a body of " + length + " bytes");
    }
    InputStream in = request.getInputStream();
    if (length < 0) {
      return in.readAllBytes();
    }
    return read(in, (int) length);
  }

  /**
   * Reads {@code length} bytes.
   *
   * @throws ApiException 400 if there are less
   */
  public static byte[] read(InputStream in, int length) throws IOException {
    if (length > READ_AT_ONCE_BYTES) {
      byte[] body = in.readNBytes(length);
      requireAll(body.length, length);
      return body;
    }
    byte[] body = new byte[length];
    requireAll(in.readNBytes(body, 0, body.length), length);
    return body;
  }

  private static void requireAll(int read, long length) {
    if (read < length) {
      throw new ApiException(400, "parse_exception", "the body ended early");
    }
  }

  public static void send(HttpServletResponse response, String contentType, byte[] body)
      throws IOException {
    response.setStatus(200);
    response.setContentType(contentType);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  public static void sendJson(HttpServletResponse response, Object body) throws IOException {
    send(response, "application/json", Json.write(body));
  }

  /**
   * Replaces the prepared part of the response, except for the load of the node.
   *
   * @throws IOException if a part of the response was already sent
   */
  static void sendError(HttpServletResponse response, ErrorBody error) throws IOException {
    if (response.isCommitted()) {
      throw new IOException("the answer was cut off: " + error.type() + ": " + error.reason());
    }
    String load = response.getHeader(SearchCallHeaders.LOAD);
    response.reset();
    if (load != null) {
      response.setHeader(SearchCallHeaders.LOAD, load);
    }
    response.setStatus(error.status());
    byte[] body = InternalFailures.body(error);
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  public static String required(HttpServletRequest request, String parameter) {
    String value = request.getParameter(parameter);
    if (value == null) {
      throw new ApiException(
          ErrorBody.illegalArgument("parameter [" + parameter + "] is required"));
    }
    return value;
  }

  public static long requiredLong(HttpServletRequest request, String parameter) {
    return number(parameter, required(request, parameter));
  }

  public static long longOr(HttpServletRequest request, String parameter, long otherwise) {
    String value = request.getParameter(parameter);
    return value == null ? otherwise : number(parameter, value);
  }

  private static long number(String parameter, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "parameter [" + parameter + "] is not a number: [" + value + "]"));
    }
  }
}
