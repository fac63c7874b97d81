package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnshownSinceTest {

  private final UnshownSince unshown = new UnshownSince();

  @Test
  void theAgeIsThatOfTheOldestOperationThatIsNotVisible() {
    assertThat(unshown.ageMillis(1_000_000)).isZero();

    unshown.applied(1_000_000);
    unshown.applied(1_000_400);

    assertThat(unshown.ageMillis(1_000_500)).isEqualTo(500);
    unshown.showing();
    assertThat(unshown.ageMillis(1_000_500)).isZero();
  }

  @Test
  void aFailedRefreshDoesNotResetTheAge() {
    unshown.applied(100);
    long before = unshown.showing();
    unshown.applied(300);

    unshown.notShown(before);

    assertThat(unshown.ageMillis(400)).isEqualTo(300);
    unshown.notShown(0);
    assertThat(unshown.ageMillis(400)).isEqualTo(300);
  }
}
