package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossConfirmationTest {

  private final LossConfirmation loss = new LossConfirmation();

  @Test
  void aLossIsConfirmedWhenItLasted() {
    assertThat(loss.add(true, 5_000)).isFalse();
    assertThat(loss.add(true, 14_999)).isFalse();
    assertThat(loss.add(true, 15_000)).isTrue();
    assertThat(loss.add(true, 15_001)).isTrue();
  }

  @Test
  void anAttemptThatFindsTheHistoryBeginsTheTimeAgain() {
    assertThat(loss.add(true, 0)).isFalse();
    assertThat(loss.add(false, 9_000)).isFalse();
    assertThat(loss.add(true, 10_000)).isFalse();
    assertThat(loss.add(true, 20_000)).isTrue();
  }
}
