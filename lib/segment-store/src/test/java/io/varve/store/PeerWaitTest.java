package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PeerWaitTest {

  private static final PeerWait.Limits LIMITS = new PeerWait.Limits(100, 1_000);

  @Test
  void endsWhenNothingIsHeard() {
    PeerWait patience = new PeerWait(LIMITS, 0);
    assertThat(patience.leftMillis(0)).isEqualTo(100);
    assertThat(patience.leftMillis(99)).isEqualTo(1);
    assertThat(patience.leftMillis(100)).isZero();
    assertThat(patience.leftMillis(5_000)).isZero();
  }

  @Test
  void lastsAsLongAsThePeerComesNearer() {
    PeerWait patience = new PeerWait(LIMITS, 0);
    patience.lacks(1_000, 50);
    patience.lacks(900, 90);
    assertThat(patience.leftMillis(100)).isEqualTo(90);
    patience.lacks(800, 180);
    assertThat(patience.leftMillis(200)).isEqualTo(80);
  }

  @Test
  void theFirstWordIsNoProgress() {
    PeerWait patience = new PeerWait(LIMITS, 0);
    patience.lacks(1_000, 90);
    assertThat(patience.leftMillis(90)).isEqualTo(10);
  }

  @Test
  void goingBackAndForthIsNoProgress() {
    PeerWait patience = new PeerWait(LIMITS, 0);
    patience.lacks(500, 0);
    patience.lacks(900, 40);
    patience.lacks(500, 80);
    assertThat(patience.leftMillis(100)).isZero();
  }

  @Test
  void endsAtTheLimitHoweverFastThePeerIs() {
    PeerWait patience = new PeerWait(LIMITS, 0);
    for (int now = 0; now < 990; now += 10) {
      patience.lacks(100_000 - now, now);
    }
    assertThat(patience.leftMillis(990)).isEqualTo(10);
    assertThat(patience.leftMillis(1_000)).isZero();
  }

  @Test
  void isNeverLongerThanIsAllowed() {
    assertThat(LIMITS.within(400)).isEqualTo(new PeerWait.Limits(100, 400));
    assertThat(LIMITS.within(40)).isEqualTo(new PeerWait.Limits(40, 40));
    assertThat(LIMITS.within(-1)).isEqualTo(PeerWait.Limits.NONE);
    assertThatThrownBy(() -> new PeerWait.Limits(10, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
