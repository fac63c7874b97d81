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
 * Rules for the tests of all modules, whose classes are on no class path together: they are checked
 * on the sources.
 */
class TestSourcesTest {

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

  /** It ignores assertions too: what fails inside {@code until} is then never seen. */
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

  /** The launcher lists the test classes by the names of their files. */
  @Test
  void theLauncherFindsEveryTestClass() throws IOException {
    String test = "  @" + "Test\n";
    for (Path source : testSources()) {
      String text = Files.readString(source);
      String name = source.getFileName().toString().replace(".java", "");
      if (text.contains(test) && !text.contains("abstract class " + name)) {
        assertThat(name).endsWith("Test");
      }
    }
  }

  /** It tells the classes of the system tier by that line. */
  @Test
  void theLauncherFindsEveryTestOfTheSystemTier() throws IOException {
    String tag = "@Tag(" + "\"system\")";
    int found = 0;
    for (Path source : testSources()) {
      String text = Files.readString(source);
      if (text.contains(tag)) {
        found++;
        assertThat(source.getFileName().toString()).as("name of the file").endsWith("Test.java");
        assertThat(text.lines())
            .as("%s: the class itself has the tag", Modules.ROOT.relativize(source))
            .contains(tag);
      }
    }
    assertThat(found).isGreaterThan(30);
  }
}
