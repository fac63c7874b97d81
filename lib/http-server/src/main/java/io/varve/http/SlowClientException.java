package io.varve.http;

import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.QuietException;

/** Aborts reading a body or writing a response because the client is too slow. */
public final class SlowClientException extends TimeoutException implements QuietException {

  private static final long serialVersionUID = 1L;

  SlowClientException(String message) {
    super(message);
  }

  /**
   * The message of the cause if {@code failure} was caused by a client that was too slow or silent.
   */
  public static Optional<String> reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException) {
        return Optional.of(String.valueOf(cause.getMessage()));
      }
    }
    return Optional.empty();
  }
}
