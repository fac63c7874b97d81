package io.varve.http;

import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.QuietException;

/** Ends the reading of a body or the writing of an answer because the client is too slow. */
public final class SlowClientException extends TimeoutException implements QuietException {

  private static final long serialVersionUID = 1L;

  SlowClientException(String message) {
    super(message);
  }

  /** The reason when {@code failure} says that a client was too slow, or silent for too long. */
  public static Optional<String> reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException) {
        return Optional.of(String.valueOf(cause.getMessage()));
      }
    }
    return Optional.empty();
  }
}
