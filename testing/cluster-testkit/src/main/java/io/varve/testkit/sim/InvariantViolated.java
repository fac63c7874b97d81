package io.varve.testkit.sim;

/** A named rule was violated. The message says how to reproduce it. */
public final class InvariantViolated extends AssertionError {

  private static final long serialVersionUID = 1L;

  private final String invariant;

  InvariantViolated(String invariant, String message) {
    super(invariant + ": " + message);
    this.invariant = invariant;
  }

  InvariantViolated(InvariantViolated cause, String history) {
    super(cause.getMessage() + " in " + history, cause);
    this.invariant = cause.invariant;
  }

  public String invariant() {
    return invariant;
  }
}
