package io.varve.events;

/** Bytes that no version of Varve wrote, or only a newer one. */
public final class MalformedRecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public MalformedRecordException(String message) {
    super(message);
  }

  public MalformedRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
