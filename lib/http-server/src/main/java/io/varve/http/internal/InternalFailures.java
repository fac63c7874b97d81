package io.varve.http.internal;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.http.SlowClientException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The errors with which internal endpoints answer failures. An unexpected failure is logged. */
public final class InternalFailures {

  private static final Logger LOG = LoggerFactory.getLogger(InternalFailures.class);

  private InternalFailures() {}

  /**
   * @param call for the log
   */
  public static ErrorBody error(Throwable failure, String call) {
    return switch (failure) {
      case ApiException e -> e.error();
      case MalformedRecordException e -> ErrorBody.illegalArgument(String.valueOf(e.getMessage()));
      case IllegalArgumentException e -> ErrorBody.illegalArgument(String.valueOf(e.getMessage()));
      case InterruptedException _ ->
          ErrorBody.of(503, "node_closed_exception", "the node is closing");
      case StackOverflowError _ -> {
        LOG.warn("{} is nested too deeply", call);
        yield ErrorBody.illegalArgument("The request is nested too deeply");
      }
      default -> {
        LOG.error("{} failed", call, failure);
        yield ErrorBody.of(500, "internal_server_error", failure.toString());
      }
    };
  }

  /** The error if a client was too slow; any other failure has broken the connection. */
  public static Optional<ErrorBody> ofSlowClient(IOException failure) {
    return SlowClientException.reason(failure)
        .map(reason -> ErrorBody.of(408, "timeout_exception", reason));
  }

  /** The body of the response with this error. */
  public static byte[] body(ErrorBody error) {
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("error", error.toMap());
    parts.put("status", error.status());
    return Json.write(parts);
  }
}
