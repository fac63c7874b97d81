package io.varve.conformance.run;

/** Thrown when a response differs from the expectation of a test. */
final class CheckFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CheckFailure(String message) {
    super(message, null, false, false);
  }
}
