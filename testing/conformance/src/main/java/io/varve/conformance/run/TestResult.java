package io.varve.conformance.run;

/** The outcome of a test. */
public sealed interface Verdict {

  record Passed() implements Verdict {}

  /**
   * The test failed.
   *
   * @param reason the failed step and the difference, in one to three lines
   */
  record Failed(String reason) implements Verdict {}

  record Skipped(String reason) implements Verdict {}
}
