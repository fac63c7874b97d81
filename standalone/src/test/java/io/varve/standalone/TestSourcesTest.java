package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules for the tests of all modules, checked on the sources, because no class path contains all
 * test classes.
 */
class TestSourcesTest {

  private static final Path TESTING = Modules.ROOT.resolve("testing");

  private static List<Path> testSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path module : Modules.folders()) {
      Path folder = module.resolve("src/test/java");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
    }
    return sources;
  }

  /** Returns the lines of all tests that contain the text, each with its file. */
  private static List<String> linesWith(String text) throws IOException {
    List<Path> sources = testSources();
    assertThat(sources).hasSizeGreaterThan(200);
    List<String> found = new ArrayList<>();
    for (Path source : sources) {
      for (String line : Files.readAllLines(source)) {
        if (line.contains(text)) {
          found.add(Modules.ROOT.relativize(source) + ": " + line.strip());
        }
      }
    }
    return found;
  }

  /** Such a wait ignores assertions too, so that a failure inside {@code until} goes unnoticed. */
  @ParameterizedTest
  @ValueSource(strings = {"()", "ByDefault", "InstanceOf(Throwable", "InstanceOf(AssertionError"})
  void noWaitIgnoresEveryException(String which) throws IOException {
    assertThat(linesWith("ignoreExceptions" + which))
        .as("ignoreExceptionsInstanceOf(...) names the exceptions that may occur")
        .isEmpty();
  }

  /** A test that can't run here aborts with its reason, which the summary of the run shows. */
  @Test
  void noTestIsDisabled() throws IOException {
    assertThat(linesWith("org.junit.jupiter.api." + "Disabled"))
        .as("a test that does not pass is repaired or deleted")
        .isEmpty();
  }

  /** The launcher's tier of clusters starts no JVM for the tests of other modules. */
  @Test
  void testsOfMoreThanABrokerAreBelowTesting() throws IOException {
    for (Path source : testSources()) {
      String code = Files.readString(source);
      if (code.contains("@Tag(\"system\")") && !code.contains("@Tag(\"broker\")")) {
        assertThat(source).as("has the tag system without broker").startsWith(TESTING);
      }
    }
  }
}
