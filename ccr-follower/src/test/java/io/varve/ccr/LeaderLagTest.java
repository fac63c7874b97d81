package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaderLagTest {

  private final LeaderLag lag = new LeaderLag(1_000);

  @Test
  void countsFromTheStartBeforeTheFirstProof() {
    lag.leaderEnd(10, 1_500);
    assertThat(lag.millis(2_000)).isEqualTo(1_000);
    assertThat(lag.isCurrent()).isFalse();
  }

  @Test
  void anEndThatIsHeldAlreadyIsAProofOfTheMomentOfItsRequest() {
    lag.heldTo(10);
    lag.leaderEnd(10, 2_000);
    assertThat(lag.millis(2_050)).isEqualTo(50);
    assertThat(lag.isCurrent()).isTrue();
  }

  @Test
  void anEndThatIsReachedLaterIsAProofOfTheMomentOfItsRequest() {
    lag.leaderEnd(10, 2_000);
    lag.leaderEnd(20, 3_000);
    lag.leaderEnd(30, 4_000);

    lag.heldTo(19);
    assertThat(lag.millis(5_000)).isEqualTo(3_000);
    lag.heldTo(20);
    assertThat(lag.millis(5_000)).isEqualTo(2_000);
    lag.heldTo(35);
    assertThat(lag.millis(5_000)).isEqualTo(1_000);
    assertThat(lag.isCurrent()).isTrue();
  }

  @Test
  void growsWhileTheLeaderDoesNotAnswer() {
    lag.heldTo(10);
    lag.leaderEnd(10, 2_000);
    assertThat(lag.millis(62_000)).isEqualTo(60_000);
  }

  @Test
  void endsOfAnEarlierReadingProveNothing() {
    lag.leaderEnd(10, 2_000);
    lag.resume(4);
    lag.heldTo(12);
    assertThat(lag.millis(3_000)).isEqualTo(2_000);
  }

  @Test
  void aFollowerThatIsFarBehindStillLearnsHowFar() {
    for (int i = 1; i <= 5_000; i++) {
      lag.leaderEnd(i, 1_000 + i);
    }
    lag.heldTo(1_000);
    assertThat(lag.millis(6_000)).isEqualTo(4_000);
    lag.heldTo(5_000);
    assertThat(lag.millis(6_000)).isZero();
  }

  @Test
  void isNeverNegative() {
    assertThat(lag.millis(900)).isZero();
  }
}
