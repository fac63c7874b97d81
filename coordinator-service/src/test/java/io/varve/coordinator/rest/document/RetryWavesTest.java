package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.document.RetryWaves.Wave;
import org.junit.jupiter.api.Test;

class RetryWavesTest {

  private final RetryWaves<String> waves = new RetryWaves<>();

  @Test
  void partsThatWaitForTheSameArePlacedTogether() {
    assertThat(waves.add(new Wave(5, 20), "a")).as("begins the wave").isTrue();
    assertThat(waves.add(new Wave(5, 20), "b")).isFalse();
    assertThat(waves.add(new Wave(5, 20), "c")).isFalse();

    assertThat(waves.take(new Wave(5, 20))).containsExactly("a", "b", "c");
  }

  @Test
  void aPartThatWaitsForAnotherStateOrPauseHasAnotherWave() {
    assertThat(waves.add(new Wave(5, 20), "a")).isTrue();
    assertThat(waves.add(new Wave(6, 20), "b")).isTrue();
    assertThat(waves.add(new Wave(5, 40), "c")).isTrue();

    assertThat(waves.take(new Wave(5, 20))).containsExactly("a");
    assertThat(waves.take(new Wave(6, 20))).containsExactly("b");
    assertThat(waves.take(new Wave(5, 40))).containsExactly("c");
  }

  @Test
  void aPartThatComesAfterTheEndOfItsWaveBeginsTheNext() {
    waves.add(new Wave(5, 20), "a");
    assertThat(waves.take(new Wave(5, 20))).containsExactly("a");

    assertThat(waves.add(new Wave(5, 20), "b")).isTrue();
    assertThat(waves.take(new Wave(5, 20))).containsExactly("b");
    assertThat(waves.take(new Wave(5, 20))).isEmpty();
  }
}
