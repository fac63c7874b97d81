package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ExponentialBackOffTest {

  private static long delayMillis(double chance, int failures) {
    return new ExponentialBackOff(100, 1_600, () -> chance).delayMillis(failures);
  }

  @Test
  void doublesUpToItsLimit() {
    long[] longest = {100, 200, 400, 800, 1_600, 1_600, 1_600};
    for (int failures = 1; failures <= longest.length; failures++) {
      assertThat(delayMillis(1, failures)).isEqualTo(longest[failures - 1]);
    }
    assertThat(delayMillis(1, 1_000)).isEqualTo(1_600);
  }

  @Test
  void leavesTheUpperHalfToChance() {
    assertThat(delayMillis(0, 3)).isEqualTo(200);
    assertThat(delayMillis(0.5, 3)).isEqualTo(300);
  }

  @Test
  void waitsBeforeTheFirstFailureAsAfterIt() {
    assertThat(delayMillis(1, 0)).isEqualTo(100);
    assertThat(delayMillis(1, -5)).isEqualTo(100);
  }

  @Test
  void refusesBoundsThatMakeNoSense() {
    assertThat(new ExponentialBackOff(1, 1, () -> 0).delayMillis(9)).isEqualTo(0);
    assertThatIllegalArgumentException().isThrownBy(() -> new ExponentialBackOff(0, 1, () -> 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new ExponentialBackOff(2, 1, () -> 0));
  }
}
