package io.varve.cluster.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BytePressureTest {

  private final BytePressure pressure = new BytePressure(100);

  @Test
  void rejectsBytesBeyondTheLimitAndAdmitsThemAfterARelease() {
    assertThat(pressure.acquire(60)).isEmpty();
    assertThat(pressure.acquire(41)).hasValue(60);
    assertThat(pressure.acquire(40)).isEmpty();
    assertThat(pressure.currentBytes()).isEqualTo(100);
    assertThat(pressure.rejections()).isEqualTo(1);

    pressure.release(60);
    assertThat(pressure.acquire(41)).isEmpty();
    assertThat(pressure.totalBytes()).as("all that was let in").isEqualTo(141);
  }

  @Test
  void neverRefusesOneThatIsAlone() {
    assertThat(pressure.acquire(1_000)).isEmpty();
    assertThat(pressure.acquire(1)).hasValue(1_000);
  }

  @Test
  void countsWhatCanNotBeRefusedToo() {
    pressure.enter(1_000);
    assertThat(pressure.acquire(1)).hasValue(1_000);
    pressure.release(1_000);
    assertThat(pressure.acquire(1)).isEmpty();
  }
}
