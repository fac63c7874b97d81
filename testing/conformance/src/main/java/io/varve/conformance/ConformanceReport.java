package io.varve.conformance;

import io.varve.conformance.run.TestResult;
import io.varve.conformance.suite.TestCase;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts verdicts by folder, prints each failure when it occurs, and prints the table at the end.
 */
final class ConformanceReport {

  private static final class Counts {
    int passed;
    int failed;
    int accepted;
    int skipped;
    long millis;
  }

  private static final long SLOW_MILLIS = 10_000;

  private final PrintStream out;
  private final AcceptedFailures accepted;
  private final Map<String, Counts> folders = new TreeMap<>();
  private final List<String> passedTests = new ArrayList<>();
  private final List<String> unacceptedTests = new ArrayList<>();

  ConformanceReport(PrintStream out, AcceptedFailures accepted) {
    this.out = out;
    this.accepted = accepted;
  }

  void add(TestCase test, TestResult verdict, long millis) {
    Counts counts = folders.computeIfAbsent(test.folder(), folder -> new Counts());
    counts.millis += millis;
    if (millis >= SLOW_MILLIS) {
      out.printf("slow %s: %.1f s%n", test.id(), millis / 1000.0);
    }
    switch (verdict) {
      case TestResult.Passed() -> {
        counts.passed++;
        passedTests.add(test.id());
      }
      case TestResult.Skipped(String reason) -> counts.skipped++;
      case TestResult.Failed(String reason) -> {
        boolean known = accepted.accepts(test.id());
        if (known) {
          counts.accepted++;
        } else {
          counts.failed++;
          unacceptedTests.add(test.id());
        }
        out.println((known ? "accepted " : "FAILED ") + test.id() + "\n  " + reason.strip());
      }
    }
  }

  void printTable() {
    out.printf(
        "%n%-34s %7s %7s %9s %8s %8s%n",
        "folder", "passed", "failed", "accepted", "skipped", "seconds");
    Counts total = new Counts();
    folders.forEach((folder, counts) -> {
      row(folder, counts);
      total.passed += counts.passed;
      total.failed += counts.failed;
      total.accepted += counts.accepted;
      total.skipped += counts.skipped;
      total.millis += counts.millis;
    });
    row("total", total);
  }

  private void row(String name, Counts counts) {
    out.printf(
        "%-34s %7d %7d %9d %8d %8.1f%n",
        name,
        counts.passed,
        counts.failed,
        counts.accepted,
        counts.skipped,
        counts.millis / 1000.0);
  }

  List<String> passedTests() {
    return List.copyOf(passedTests);
  }

  /** Returns the tests whose failures are not accepted. */
  List<String> unacceptedTests() {
    return List.copyOf(unacceptedTests);
  }
}
