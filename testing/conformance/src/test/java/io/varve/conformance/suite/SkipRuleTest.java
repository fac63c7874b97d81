package io.varve.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkipRuleTest {

  private static final Version SERVER = Version.of("3.1.0");

  @ParameterizedTest
  @CsvSource({
    "' - 2.99.99', false",
    "'3.0.0 - ', true",
    "' - 3.1.0', true",
    "'all', true",
    "'', false",
    // Versions of Elasticsearch precede all versions of OpenSearch.
    "'7.4.0 - ', true",
    "' - 7.99.99', false",
    "'1.0.0 - 1.4.99, 3.1.0 - 3.2.0', true",
    "'3.1.1 - ', false",
  })
  void coversTheVersionsOfItsRanges(String versions, boolean skipped) {
    assertThat(new SkipRule(versions, List.of(), "").reasonToSkip(SERVER).isPresent())
        .isEqualTo(skipped);
  }

  @Test
  void skipsWhatNeedsAFeatureThatWeLack() {
    assertThat(new SkipRule("", List.of("headers"), "").reasonToSkip(SERVER)).isEmpty();
    assertThat(new SkipRule("", List.of("headers", "telepathy"), "").reasonToSkip(SERVER))
        .hasValueSatisfying(reason -> assertThat(reason).contains("telepathy"));
  }

  @Test
  void refusesWhatIsNoRange() {
    assertThatThrownBy(() -> new SkipRule("3.0.0", List.of(), "").reasonToSkip(SERVER))
        .isInstanceOf(SuiteException.class);
  }
}
