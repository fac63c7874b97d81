package io.varve.conformance.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.conformance.suite.Step.Order;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChecksTest {

  @Test
  void aWholeNumberEqualsAFractionOnlyAtTheTop() {
    assertThat(matches(1.0, 1)).isTrue();
    assertThat(matches(List.of(1.0), List.of(1))).isFalse();
    assertThat(matches(1, 1L)).isTrue();
    assertThat(matches("1", 1)).isFalse();
    assertThat(matches(null, null)).isTrue();
    assertThat(matches(null, 0)).isFalse();
  }

  @Test
  void aPatternIsSearchedAndItsSpacesDoNotCount() {
    assertThat(matches("took 12 ms", "/ \\d+ \\s ms /")).isTrue();
    assertThat(matches("took 12 ms", "/^ \\d+/")).isFalse();
    assertThat(matches(12, "/^\\d+$/")).isTrue();
    assertThat(matches("index health\n", "/^ index \\s+ # the name\n health \\n $/\n")).isTrue();
    assertThat(matches(null, "/.*/")).isFalse();
  }

  /** With the expression as it is written, this search would take longer than any test may. */
  @Test
  void wordsAreSplitInOneWayOnly() {
    String words = "/^ ([*-] \\s+ (\\S+\\s?)+ \\n)+ $/";
    assertThat(matches("* a node\n- " + "another ".repeat(20) + "\n", words)).isTrue();
    assertThat(matches("* " + "words ".repeat(20) + "  more\n", words)).isFalse();
  }

  @Test
  void aFailedMatchNamesTheFirstDifference() {
    assertThatThrownBy(
            () -> Checks.match("x", Map.of("a", List.of(1, 2)), Map.of("a", List.of(1, 3))))
        .hasMessageContaining("first difference at .a.1");
  }

  @Test
  void falseIsWhatIsAbsentEmptyZeroOrFalse() {
    for (Object value : new Object[] {"", "false", 0, false}) {
      Checks.isFalse("x", value);
      assertThatThrownBy(() -> Checks.isTrue("x", value)).isInstanceOf(CheckFailure.class);
    }
    Checks.isFalse("x", null);
    Checks.isTrue("x", Map.of());
    Checks.isTrue("x", 0.5);
  }

  @Test
  void measuresTextsListsAndObjects() {
    Checks.length("x", "abc", 3);
    Checks.length("x", List.of(1), 1);
    Checks.length("x", Map.of(), 0);
    assertThatThrownBy(() -> Checks.length("x", 5, 1)).isInstanceOf(CheckFailure.class);
  }

  @Test
  void comparesWholeNumbersWithWholeNumbersOnly() {
    Checks.compare(Order.GT, "x", 5_000_000_000L, 1);
    Checks.compare(Order.LTE, "x", 1.5, 1.5);
    assertThatThrownBy(() -> Checks.compare(Order.GT, "x", 1, 1)).isInstanceOf(CheckFailure.class);
    assertThatThrownBy(() -> Checks.compare(Order.GT, "x", 1.5, 1))
        .hasMessageContaining("cannot compare");
  }

  @Test
  void findsAnElementByPartOfIt() {
    List<Map<String, Integer>> list = List.of(Map.of("a", 1, "b", 2));
    Checks.contains("x", list, Map.of("a", 1));
    assertThatThrownBy(() -> Checks.contains("x", list, Map.of("a", 2)))
        .isInstanceOf(CheckFailure.class);
  }

  @Test
  void allowsTheErrorOfANumber() {
    Checks.closeTo("x", 1.01, 1, 0.1);
    assertThatThrownBy(() -> Checks.closeTo("x", 1.2, 1, 0.1)).isInstanceOf(CheckFailure.class);
  }

  private static boolean matches(@Nullable Object actual, @Nullable Object expected) {
    try {
      Checks.match("x", actual, expected);
      return true;
    } catch (CheckFailure e) {
      return false;
    }
  }
}
