package io.varve.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeuristicTest {

  private static Heuristic named(String name) {
    return switch (name) {
      case "jlh" -> new Heuristic.Jlh();
      case "percentage" -> new Heuristic.Percentage();
      case "gnd" -> new Heuristic.Gnd(true);
      case "mutual" -> new Heuristic.MutualInformation(false, true);
      case "chi" -> new Heuristic.ChiSquare(false, true);
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource({
    // f, n: in the subset; all, size: in the superset
    "jlh, 5, 10, 10, 100, 2.0",
    "jlh, 1, 10, 10, 100, 0.0",
    "jlh, 1, 10, 50, 100, 0.0",
    "jlh, 0, 0, 10, 100, 0.0",
    "jlh, 5, 10, 0, 100, 24.5",
    "percentage, 5, 10, 20, 100, 0.25",
    "percentage, 5, 10, 0, 100, 0.0",
    "gnd, 0, 10, 10, 100, 0.0",
    "gnd, 10, 10, 10, 100, 1.0",
    "gnd, 5, 10, 10, 100, 0.740056",
    // A term in every document of the subset and in no other carries one bit of information.
    "mutual, 50, 50, 50, 100, 1.0",
    "mutual, 25, 50, 50, 100, 0.0",
    "chi, 50, 50, 50, 100, 100.0",
    "chi, 25, 50, 50, 100, 0.0",
  })
  void scores(String name, double f, double n, double all, double size, double expected) {
    assertThat(named(name).score(f, n, all, size)).isCloseTo(expected, Offset.offset(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"mutual", "chi"})
  void aTermThatIsRarerThanInTheBackgroundIsNotSignificant(String name) {
    assertThat(named(name).score(1, 50, 50, 100)).isNegative();
  }
}
