package io.varve.rest;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.events.Json;
import io.varve.metrics.Metric;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers and counts requests that are too malformed or too long to reach the dispatcher, with an
 * error body of the dialect instead of an HTML page. The connection is then closed, because the
 * start of the next request is unknown.
 */
public final class UnreadableRequests extends ErrorHandler {

  static final Metric UNREADABLE =
      Metric.counter(
          "varve.http.requests.unreadable",
          "Requests refused before a route was looked for: 414 and 431 if the path or the headers"
              + " are longer than `http.max-header-size`, 400 if it is not HTTP, else `other`",
          "status");

  private static final String JSON = "application/json; charset=UTF-8";

  /** The errors for a path or headers above the limit, with OpenSearch's types. */
  private static final Map<Integer, ErrorBody> TOO_LONG =
      Map.of(
          HttpStatus.URI_TOO_LONG_414,
          tooLong(HttpStatus.URI_TOO_LONG_414, "too_long_http_line_exception", "path and query"),
          HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
          tooLong(
              HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
              "too_long_http_header_exception",
              "headers"));

  private final Map<Integer, LongAdder> counts =
      Map.of(
          HttpStatus.BAD_REQUEST_400, new LongAdder(),
          HttpStatus.URI_TOO_LONG_414, new LongAdder(),
          HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431, new LongAdder());

  private final LongAdder others = new LongAdder();

  public void register(MeterRegistry meters) {
    counts.forEach((status, count) ->
        UNREADABLE.register(meters, count, LongAdder::sum, Integer.toString(status)));
    UNREADABLE.register(meters, others, LongAdder::sum, "other");
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int status,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    counts.getOrDefault(status, others).increment();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    response.write(true, ByteBuffer.wrap(bytes(status, message)), callback);
  }

  private static byte[] bytes(int status, @Nullable String reason) {
    return Json.write(
        ErrorBodies.response(TOO_LONG.getOrDefault(status, unreadable(status, reason)), null));
  }

  private static ErrorBody unreadable(int status, @Nullable String reason) {
    return ErrorBody.of(
        status,
        status < 500 ? "illegal_argument_exception" : "exception",
        reason == null ? "the request can't be read" : reason);
  }

  private static ErrorBody tooLong(int status, String type, String what) {
    return ErrorBody.of(status, type, "the " + what + " exceed [http.max-header-size]");
  }
}
