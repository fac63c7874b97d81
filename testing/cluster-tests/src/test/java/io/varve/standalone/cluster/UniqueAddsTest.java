package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.standalone.cluster.UniqueAdds.Outcome;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UniqueAddsTest {

  private final UniqueAdds adds = new UniqueAdds();

  @BeforeEach
  void add() {
    adds.add("a", Outcome.DONE);
    adds.add("b", Outcome.DONE);
    adds.add("f", Outcome.FAILED);
    adds.add("u", Outcome.UNKNOWN);
  }

  @Test
  void ackedElementsAreThereAndUnknownOnesMayBe() {
    assertThat(adds.violations(Set.of("a", "b"))).isEmpty();
    assertThat(adds.violations(Set.of("a", "b", "u"))).isEmpty();
  }

  @Test
  void otherSetsAreViolations() {
    assertThat(adds.violations(Set.of("a"))).containsExactly("b was acked and is missing");
    assertThat(adds.violations(Set.of("a", "b", "f"))).containsExactly("f failed and is there");
    assertThat(adds.violations(Set.of("a", "b", "x"))).containsExactly("x was never added");
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true", "3, true", "4, false"})
  void aCounterIsBetweenWhatWasAckedAndWhatMayHaveHappened(long counter, boolean fine) {
    assertThat(adds.violations(counter).isEmpty()).isEqualTo(fine);
  }

  @Test
  void anElementIsAddedOnce() {
    assertThatThrownBy(() -> adds.add("a", Outcome.UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
