package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldOffsetTest {

  private static final long GRACE_MILLIS = 1_000;

  private final HeldOffset held = new HeldOffset(GRACE_MILLIS);

  @Test
  void noOffsetIsHeldBeforeTheGracePeriodIsOver() {
    held.stored(10, 0);

    assertThat(held.at(GRACE_MILLIS - 1)).isEqualTo(-1);
    assertThat(held.at(GRACE_MILLIS)).isEqualTo(10);
  }

  @Test
  void aYoungManifestDoesNotRaiseTheOffsetOfAnOlderOne() {
    held.stored(10, 0);
    held.stored(20, 500);

    assertThat(held.at(GRACE_MILLIS)).isEqualTo(10);
    assertThat(held.at(GRACE_MILLIS + 500)).isEqualTo(20);
  }

  @Test
  void nothingStoredBeforeALossIsHeld() {
    held.stored(10, 0);
    assertThat(held.at(GRACE_MILLIS)).isEqualTo(10);
    held.stored(20, GRACE_MILLIS);

    held.lost();

    assertThat(held.at(10 * GRACE_MILLIS)).isEqualTo(-1);
    held.stored(30, 10 * GRACE_MILLIS);
    assertThat(held.at(11 * GRACE_MILLIS)).isEqualTo(30);
  }
}
