package io.varve.conformance.run;

/** The outcome of a test. */
public sealed interface TestResult {

  record Passed() implements TestResult {}

  /**
   * The test failed.
   *
   * @param reason the failed step and the difference, in one to three lines
   */
  record Failed(String reason) implements TestResult {}

  record Skipped(String reason) implements TestResult {}
}
