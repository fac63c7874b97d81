package io.varve.conformance;

import io.varve.conformance.run.Runner;
import io.varve.conformance.run.ServerClient;
import io.varve.conformance.run.TestResult;
import io.varve.conformance.spec.ApiCatalog;
import io.varve.conformance.suite.Suite;
import io.varve.conformance.suite.TestCase;
import io.varve.standalone.CommandLines;
import io.varve.standalone.RestAccess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The main program. It runs the selected tests and prints the failures and a table. The exit code
 * is 1 if any failure is not among the accepted failures.
 */
public final class Conformance extends Options implements Callable<Integer> {

  private Conformance() {}

  public static void main(String[] arguments) {
    System.exit(CommandLines.of(new Conformance(), List.of(), arguments).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return run(this).unacceptedTests().isEmpty() ? 0 : 1;
  }

  private static ConformanceReport run(Options options) throws IOException, InterruptedException {
    if (options.url().isPresent()) {
      return run(options, options.url().get(), RestAccess.PLAIN);
    }
    Path log = Files.createTempFile("varve-conformance", ".log");
    System.out.println("log of the standalone: " + log);
    try (StandaloneProcess standalone = StandaloneProcess.start(log, options.secured())) {
      return run(options, standalone.url(), standalone.access());
    }
  }

  private static ConformanceReport run(Options options, String url, RestAccess access)
      throws IOException {
    Suite suite = Suite.load();
    Consumer<String> trace = options.verbose() ? System.out::println : line -> {};
    ConformanceReport report =
        new ConformanceReport(System.out, AcceptedFailures.of(options.secured()));
    try (ServerClient server = new ServerClient(url, access)) {
      Runner runner = new Runner(new ApiCatalog(suite.apiDescriptions()), server, trace);
      for (TestCase test : chosen(suite.tests(), options)) {
        trace.accept("---- " + test.id());
        long startNanos = System.nanoTime();
        TestResult verdict = runner.run(test);
        report.add(test, verdict, (System.nanoTime() - startNanos) / 1_000_000);
        if (options.failFast() && !report.unacceptedTests().isEmpty()) {
          break;
        }
      }
      runner.finish();
    }
    report.printTable();
    if (options.passedFile().isPresent()) {
      Files.write(options.passedFile().get(), report.passedTests());
    }
    return report;
  }

  static List<TestCase> chosen(List<TestCase> tests, Options options) throws IOException {
    List<TargetList> targets = new ArrayList<>();
    for (String target : options.targets()) {
      targets.add(target(target));
    }
    List<Pattern> only = options.only().stream().map(TargetList::pattern).toList();
    return tests.stream()
        .filter(test -> targets.stream().anyMatch(target -> target.includes(test.id())))
        .filter(
            test -> only.isEmpty() || only.stream().anyMatch(p -> p.matcher(test.id()).matches()))
        .toList();
  }

  static TargetList target(String name) throws IOException {
    return switch (name) {
      case "all" -> new TargetList(List.of("+ *"));
      case "core", "wider" -> new TargetList(resource(name + ".txt"));
      default -> new TargetList(Files.readAllLines(Path.of(name)));
    };
  }

  static List<String> resource(String name) throws IOException {
    try (InputStream in = Conformance.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
