package io.varve.conformance.run;

/** How a test ended. */
public sealed interface Verdict {

  record Passed() implements Verdict {}

  /** {@code reason} says in one to three lines which step failed and how. */
  record Failed(String reason) implements Verdict {}

  record Skipped(String reason) implements Verdict {}
}
