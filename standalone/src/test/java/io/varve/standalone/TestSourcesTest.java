package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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

  /** Such a wait ignores assertions too, so that a failure inside {@code until} goes unnoticed. */
  @Test
  void noWaitIgnoresEveryException() throws IOException {
    String banned = ".ignoreExceptions" + "()";
    List<Path> sources = testSources();
    assertThat(sources).hasSizeGreaterThan(200);
    for (Path source : sources) {
      assertThat(Files.readString(source))
          .as(
              "%s: ignoreExceptionsInstanceOf(...) names what may fail",
              Modules.ROOT.relativize(source))
          .doesNotContain(banned);
    }
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
