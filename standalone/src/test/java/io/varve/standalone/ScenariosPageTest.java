package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code docs/operations/scenarios.md} names tests of all modules: they are looked up by path. */
class ScenariosPageTest {

  private static final Path PAGE = Modules.ROOT.resolve("docs/operations/scenarios.md");
  private static final int SCENARIOS = 206;

  /** Those of codecs have numbers of their own. */
  private static final Pattern ROW = Pattern.compile("^\\| (C?\\d+) \\| .+ \\| (.+) \\| .+ \\|$");

  private static final Pattern TEST = Pattern.compile("`(\\w+Test)#(\\w+)`");

  private static final Map<String, String> SOURCES = new HashMap<>();

  /** The third column of each row. */
  private static final Map<String, String> SHOWN_BY = new HashMap<>();

  private static final List<Integer> NUMBERS = new ArrayList<>();

  @BeforeAll
  static void read() throws IOException {
    for (Path module : Modules.folders()) {
      if (Files.isDirectory(module.resolve("src/test/java"))) {
        readSources(module.resolve("src/test/java"));
      }
    }
    for (String line : Files.readAllLines(PAGE)) {
      for (MatchResult row : ROW.matcher(line).results().toList()) {
        if (!row.group(1).startsWith("C")) {
          NUMBERS.add(Integer.parseInt(row.group(1)));
        }
        SHOWN_BY.put(row.group(1), row.group(2));
      }
    }
  }

  private static void readSources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        SOURCES.merge(name, Files.readString(file), String::concat);
      }
    }
  }

  @Test
  void everyScenarioHasItsRow() {
    assertThat(NUMBERS).isEqualTo(IntStream.rangeClosed(1, SCENARIOS).boxed().toList());
  }

  @Test
  void everyTestThatIsNamedExists() {
    SHOWN_BY.forEach((number, shownBy) ->
        TEST.matcher(shownBy)
            .results()
            .forEach(test ->
                assertThat(SOURCES.getOrDefault(test.group(1), ""))
                    .as("scenario %s is shown by %s", number, test.group())
                    .containsPattern("\\bvoid\\s+" + test.group(2) + "\\(")));
  }

  @Test
  void aScenarioWithoutATestSaysWhy() {
    assertThat(SHOWN_BY.values())
        .allMatch(shownBy ->
            TEST.matcher(shownBy).find()
                || shownBy.startsWith("open")
                || shownBy.startsWith("no test")
                || shownBy.startsWith("does not apply"));
  }
}
