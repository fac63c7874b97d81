package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report at the end of {@code ./varve test}, made of reports of Surefire. */
class TestReportTest {

  private static final Path SOURCE = Modules.ROOT.resolve("testing/TestReport.java");
  private static final Instant RUN = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private static Path compiled;

  @TempDir private Path root;
  private String printed = "";

  @BeforeAll
  static void compile() {
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", compiled.toString(), SOURCE.toString());
    assertThat(failed).isZero();
  }

  @BeforeEach
  void stampTheRun() throws IOException {
    Files.setLastModifiedTime(Files.createFile(root.resolve("stamp")), FileTime.from(RUN));
  }

  private void report(String module, Instant written, String suite) throws IOException {
    Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    Files.writeString(root.resolve(module).resolve("pom.xml"), "<project/>");
    String name = suite.replaceAll("(?s).*?name=\"([^\"]+)\".*", "$1");
    Path file = Files.writeString(folder.resolve("TEST-" + name + ".xml"), suite);
    Files.setLastModifiedTime(file, FileTime.from(written));
  }

  private static String suite(String name, String seconds, String cases) {
    return "<testsuite name=\"%s\" time=\"%s\">%s</testsuite>".formatted(name, seconds, cases);
  }

  private static String passed(String method) {
    return with(method, "");
  }

  private static String with(String method, String outcome) {
    return "<testcase classname=\"a.B\" name=\"%s\">%s</testcase>".formatted(method, outcome);
  }

  private int exitCode() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {compiled.toUri().toURL()})) {
      Method run =
          loader
              .loadClass("TestReport")
              .getMethod("run", Path.class, Path.class, PrintStream.class);
      int code =
          (int) run.invoke(null, root, root.resolve("stamp"), new PrintStream(out, true, UTF_8));
      printed = out.toString(UTF_8);
      return code;
    }
  }

  private String written(String file) throws IOException {
    return Files.readString(root.resolve("target").resolve(file));
  }

  @Test
  void listsTheClassesOfAllModulesTheSlowestFirst() throws Exception {
    report("lib/quick", RUN, suite("a.Quick", "0.5", passed("one")));
    report("slow", RUN.plusSeconds(60), suite("a.Slow", "1,234.5", passed("one") + passed("two")));

    assertThat(exitCode()).isZero();

    assertThat(written("test-times.tsv").lines())
        .containsExactly(
            "module\tclass\ttests\tmillis", "slow\ta.Slow\t2\t1234500", "quick\ta.Quick\t1\t500");
    assertThat(printed).contains("1234.5 s  a.Slow (slow)", "3 passed, 0 failed, 0 skipped");
    assertThat(written("flakes.txt")).isEmpty();
  }

  @Test
  void aFailureIsNamedWithItsReasonAndDecides() throws Exception {
    report(
        "m",
        RUN,
        suite(
            "a.B",
            "1",
            passed("fine")
                + with("broken", "<failure message=\"expected 1&#10;but was 2\">trace</failure>")
                + with("thrown", "<error>java.io.IOException: gone&#10;at</error>")));

    assertThat(exitCode()).isEqualTo(1);

    assertThat(printed)
        .contains(
            "FAILED  m a.B#broken: expected 1\n",
            "FAILED  m a.B#thrown: java.io.IOException: gone\n",
            "1 passed, 2 failed, 0 skipped");
  }

  @Test
  void aTestThatPassedWhenItWasRunAgainIsAFlakeAndNoFailure() throws Exception {
    report(
        "m",
        RUN,
        suite("a.B", "1", with("shaky", "<flakyFailure message=\"late\"></flakyFailure>")));

    assertThat(exitCode()).isZero();

    assertThat(written("flakes.txt")).isEqualTo("m a.B#shaky: late\n");
    assertThat(printed).contains("FLAKE   m a.B#shaky: late", "1 passed, 0 failed, 0 skipped");
  }

  @Test
  void aSkippedTestHasNotPassedAndItsReasonIsNamed() throws Exception {
    String skipped = "<skipped message=\"Docker is not available\"/>";
    report(
        "m",
        RUN,
        suite(
            "a.B",
            "1",
            passed("one") + with("two", "<skipped/>") + with("x", skipped) + with("y", skipped)));

    assertThat(exitCode()).isZero();

    assertThat(printed)
        .contains(
            "SKIPPED m a.B: no reason given (1)",
            "SKIPPED m a.B: Docker is not available (2)",
            "1 passed, 0 failed, 3 skipped");
  }

  @Test
  void aReasonOfSeveralLinesIsNamedByItsFirst() throws Exception {
    String skipped = "<skipped><![CDATA[org.a.Aborted: \nno packages\nat a.B.c()]]></skipped>";
    report("m", RUN, suite("a.B", "1", passed("one") + with("two", skipped)));

    assertThat(exitCode()).isZero();

    assertThat(printed).contains("SKIPPED m a.B: no packages (1)\n");
  }

  @Test
  void aClassOfWhichNoTestRanIsNamed() throws Exception {
    report("m", RUN, suite("a.B", "1", passed("one")));
    report("m", RUN, suite("a.Aborted", "1", ""));

    assertThat(exitCode()).isZero();

    assertThat(printed)
        .contains("SKIPPED m a.Aborted: none of its tests ran\n", "1 passed, 0 failed, 1 skipped");
  }

  @Test
  void aReportOfAnEarlierRunDoesNotCount() throws Exception {
    report(
        "m",
        RUN.minusSeconds(1),
        suite("a.B", "1", with("broken", "<failure message=\"old\"></failure>")));

    assertThat(exitCode()).as("no test ran").isEqualTo(2);

    assertThat(printed).contains("0 passed, 0 failed, 0 skipped").doesNotContain("old");
  }
}
