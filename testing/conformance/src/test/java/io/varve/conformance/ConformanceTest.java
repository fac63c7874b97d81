package io.varve.conformance;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.varve.conformance.run.Runner;
import io.varve.conformance.run.ServerClient;
import io.varve.conformance.run.TestResult;
import io.varve.conformance.spec.ApiCatalog;
import io.varve.conformance.suite.Suite;
import io.varve.conformance.suite.TestCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs our lists of OpenSearch's own tests against one standalone in a separate process, which has
 * security with TLS if {@code -Dtests.secured=true}.
 */
@Tag("system")
@Tag("conformance")
class ConformanceTest {

  private static final boolean SECURED = Boolean.getBoolean("tests.secured");
  private static final Path LOG =
      Path.of("target", "conformance-" + (SECURED ? "secured" : "standalone") + ".log");

  private static final Suite SUITE = Suite.load();

  private static StandaloneProcess standalone;
  private static ServerClient server;
  private static Runner runner;
  private static AcceptedFailures accepted;

  @BeforeAll
  static void start() throws Exception {
    standalone = StandaloneProcess.start(LOG, SECURED);
    server = new ServerClient(standalone.url(), standalone.access());
    runner = new Runner(new ApiCatalog(SUITE.apiDescriptions()), server, line -> {});
    accepted = AcceptedFailures.of(SECURED);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
    if (standalone != null) {
      standalone.close();
    }
  }

  @TestFactory
  Stream<DynamicContainer> core() throws IOException {
    return tests("core");
  }

  @TestFactory
  Stream<DynamicContainer> wider() throws IOException {
    return tests("wider");
  }

  private static Stream<DynamicContainer> tests(String target) throws IOException {
    Options options = Options.parse(new String[] {"--target", target});
    Map<String, List<TestCase>> folders = new LinkedHashMap<>();
    for (TestCase test : Conformance.chosen(SUITE.tests(), options)) {
      folders.computeIfAbsent(test.folder(), folder -> new ArrayList<>()).add(test);
    }
    return folders.entrySet().stream()
        .map(folder ->
            DynamicContainer.dynamicContainer(
                folder.getKey(), folder.getValue().stream().map(ConformanceTest::test)));
  }

  private static DynamicTest test(TestCase test) {
    return DynamicTest.dynamicTest(
        test.id(),
        () -> {
          switch (runner.run(test)) {
            case TestResult.Passed() -> {}
            case TestResult.Skipped(String reason) -> abort(reason);
            case TestResult.Failed(String reason) -> {
              if (accepted.accepts(test.id())) {
                abort("accepted: " + reason);
              }
              fail("%s%n(the log of the standalone is %s)", reason, LOG);
            }
          }
        });
  }
}
