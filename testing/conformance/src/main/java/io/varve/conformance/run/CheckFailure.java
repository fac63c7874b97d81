package io.varve.conformance.run;

/** A response differs from what a test expects. */
final class CheckFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CheckFailure(String message) {
    super(message, null, false, false);
  }
}
