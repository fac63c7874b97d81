package io.varve.load.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {

  @Test
  void aLinearAxisBeginsAtZeroAndEndsAtARoundNumber() {
    assertThat(Axis.linear("s").around(List.of(0.31, 0.83)).ticks())
        .containsExactly(0.0, 0.2, 0.4, 0.6, 0.8, 1.0);
    assertThat(Axis.linear("s").around(List.of(1_900.0)).ticks())
        .containsExactly(0.0, 500.0, 1_000.0, 1_500.0, 2_000.0);
    assertThat(Axis.linear("s").around(List.of(0.0)).to()).isPositive();
  }

  @Test
  void aLogarithmicAxisHasRoundTicksAroundTheValues() {
    assertThat(Axis.logarithmic("ms").around(List.of(3.0, 70.0)).ticks())
        .containsExactly(2.0, 5.0, 10.0, 20.0, 50.0, 100.0);
    assertThat(Axis.logarithmic("ms").around(List.of(5.0)).ticks()).containsExactly(5.0, 10.0);
  }

  @Test
  void aLogarithmicAxisHasNoPlaceForZero() {
    assertThatThrownBy(() -> Axis.logarithmic("ms").around(List.of(0.0, 1.0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0");
  }

  @Test
  void factorsHaveTheSameLengthOnALogarithmicAxis() {
    Axis.Range range = Axis.logarithmic("shards").exactly(List.of(100.0, 1.0, 10.0, 10.0));

    assertThat(range.ticks()).containsExactly(1.0, 10.0, 100.0);
    assertThat(range.place(1)).isZero();
    assertThat(range.place(10)).isCloseTo(0.5, within(1e-9));
    assertThat(range.place(100)).isCloseTo(1, within(1e-9));
  }

  @Test
  void differencesHaveTheSameLengthOnALinearAxis() {
    Axis.Range range = Axis.linear("replicas").exactly(List.of(0.0, 1.0, 4.0));

    assertThat(range.place(1)).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void aSingleSizeHasAPlace() {
    assertThat(Axis.logarithmic("shards").exactly(List.of(1.0)).place(1)).isZero();
    assertThat(Axis.linear("followers").exactly(List.of(0.0)).place(0)).isZero();
  }
}
