package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks {@code docs/operations/scenarios.md}, {@code ccr-scenarios.md} and {@code
 * strong-scenarios.md}: their rows are complete, and the tests that they name exist.
 */
class ScenariosPageTest {

  private static final Path PAGE = Modules.ROOT.resolve("docs/operations/scenarios.md");
  private static final int SCENARIOS = 294;

  private static final Path PEERS = Modules.ROOT.resolve("docs/operations/ccr-scenarios.md");
  private static final int PEER_SCENARIOS = 55;
  private static final int BAD_INPUTS = 14;

  private static final Path STRONG = Modules.ROOT.resolve("docs/operations/strong-scenarios.md");
  private static final int STRONG_SCENARIOS = 32;

  /** Scenarios of codecs are numbered separately. */
  private static final Pattern ROW = Pattern.compile("^\\| (C?\\d+) \\| .+ \\| (.+) \\| .+ \\|$");

  /** The third column of each row. */
  private static final Map<String, String> SHOWN_BY = new HashMap<>();

  private static final List<Integer> NUMBERS = new ArrayList<>();

  @BeforeAll
  static void read() throws IOException {
    for (String line : Files.readAllLines(PAGE)) {
      for (MatchResult row : ROW.matcher(line).results().toList()) {
        if (!row.group(1).startsWith("C")) {
          NUMBERS.add(Integer.parseInt(row.group(1)));
        }
        SHOWN_BY.put(row.group(1), row.group(2));
      }
    }
  }

  @Test
  void everyScenarioHasItsRow() {
    assertThat(NUMBERS).isEqualTo(IntStream.rangeClosed(1, SCENARIOS).boxed().toList());
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    NamedTests tests = NamedTests.read();
    SHOWN_BY.forEach((number, shownBy) -> tests.assertExist("scenario " + number, shownBy));
  }

  @Test
  void everyTestThatIsNamedForTheScenariosOfPeersExists() throws IOException {
    assertRowsNameTests(PEERS, "F", PEER_SCENARIOS);
    assertThat(rows(PEERS, "F"))
        .allMatch(row -> !NamedTests.in(row).isEmpty() || row.contains("| does not apply: "));
  }

  @Test
  void everyTestThatIsNamedForBadInputOfFollowersExists() throws IOException {
    assertRowsNameTests(PEERS, "B", BAD_INPUTS);
    assertThat(rows(PEERS, "B")).allMatch(row -> !NamedTests.in(row).isEmpty());
  }

  @Test
  void everyTestThatIsNamedForTheScenariosOfStrongIndicesExists() throws IOException {
    assertRowsNameTests(STRONG, "S", STRONG_SCENARIOS);
    assertThat(rows(STRONG, "S"))
        .allMatch(row ->
            !NamedTests.in(row).isEmpty() || row.contains("| open: ") || row.contains("| no test"));
  }

  private static List<String> rows(Path page, String letter) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("| " + letter))
        .toList();
  }

  private static void assertRowsNameTests(Path page, String letter, int scenarios)
      throws IOException {
    NamedTests tests = NamedTests.read();
    List<String> rows = rows(page, letter);
    assertThat(rows).hasSize(scenarios);
    for (int number = 1; number <= scenarios; number++) {
      String row = rows.get(number - 1);
      assertThat(row).startsWith("| " + letter + number + " |");
      tests.assertExist("scenario " + letter + number, row);
    }
  }

  @Test
  void aScenarioShownOnlyByExcludedTestsSaysSo() throws IOException {
    NamedTests tests = NamedTests.read();
    List<String> silent = new ArrayList<>();
    for (Path page : List.of(PAGE, PEERS, STRONG)) {
      for (String row : rows(page, "")) {
        List<Optional<String>> tags = NamedTests.in(row).stream().map(tests::excludingTag).toList();
        if (!tags.isEmpty()
            && tags.stream().allMatch(Optional::isPresent)
            && !row.contains("(" + tags.getFirst().orElseThrow() + ")")) {
          silent.add(row);
        }
      }
    }
    assertThat(silent).as("rows that do not name the tag of their tests").isEmpty();
  }

  @Test
  void aScenarioWithoutATestSaysWhy() {
    assertThat(SHOWN_BY.values())
        .allMatch(shownBy ->
            !NamedTests.in(shownBy).isEmpty()
                || shownBy.startsWith("open")
                || shownBy.startsWith("no test")
                || shownBy.startsWith("does not apply"));
  }
}
