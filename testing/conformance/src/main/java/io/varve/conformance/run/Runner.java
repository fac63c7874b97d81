package io.varve.conformance.run;

import io.varve.conformance.spec.ApiCatalog;
import io.varve.conformance.spec.ApiRequest;
import io.varve.conformance.suite.TestCase;
import io.varve.conformance.suite.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs tests sequentially against one server, which is reset before each test. */
public final class Runner {

  /** Tests of this endpoint compare the complete settings. */
  private static final String COMPARES_SETTINGS = "cluster.put_settings";

  private final ApiCatalog catalog;
  private final ServerClient server;
  private final Version version;
  private final Consumer<String> trace;
  private final CleanUp cleanUp;

  /**
   * Creates a runner.
   *
   * @param trace receives every request and response
   */
  public Runner(ApiCatalog catalog, ServerClient server, Consumer<String> trace) {
    this.catalog = catalog;
    this.server = server;
    this.trace = trace;
    this.cleanUp = new CleanUp(server);
    this.version = version(server);
  }

  private static Version version(ServerClient server) {
    ApiResponse root = server.send(new ApiRequest("GET", "/", List.of()), Map.of());
    return Version.of(String.valueOf(root.find("version.number", new Stash())));
  }

  public TestResult run(TestCase test) {
    Optional<String> skip = test.reasonToSkip(version);
    if (skip.isPresent()) {
      return new TestResult.Skipped(skip.get());
    }
    TestRun run = new TestRun(catalog, server, trace);
    try {
      if (test.folder().equals(COMPARES_SETTINGS)) {
        cleanUp.runToNoSettings();
      } else {
        cleanUp.run();
      }
      try {
        run.run(test.setup());
        run.run(test.steps());
      } finally {
        run.run(test.teardown());
      }
      return new TestResult.Passed();
    } catch (RuntimeException e) {
      return new TestResult.Failed(
          e instanceof CheckFailure ? String.valueOf(e.getMessage()) : e.toString());
    }
  }

  /** Resets the server after the last test. */
  public void finish() {
    cleanUp.run();
  }
}
