package io.varve.conformance.suite;

/** Thrown when a test uses a feature that this runner does not support. */
public final class SuiteException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SuiteException(String message) {
    super(message);
  }

  public SuiteException(String message, Throwable cause) {
    super(message, cause);
  }
}
