package io.varve.conformance.suite;

import java.util.List;
import java.util.Optional;

/**
 * One test with the setup and teardown of its file.
 *
 * @param id the folder, file and name, for example {@code bulk/10_basic/Array of objects}
 */
public record TestCase(
    String id, List<SkipRule> skips, List<Step> setup, List<Step> steps, List<Step> teardown) {

  public TestCase {
    skips = List.copyOf(skips);
    setup = List.copyOf(setup);
    steps = List.copyOf(steps);
    teardown = List.copyOf(teardown);
  }

  public String folder() {
    return id.substring(0, id.indexOf('/'));
  }

  /** Returns why this test is skipped on this server; empty if it runs. */
  public Optional<String> reasonToSkip(Version server) {
    return skips.stream().flatMap(skip -> skip.reasonToSkip(server).stream()).findFirst();
  }
}
