package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.PullProgress.State;
import io.varve.events.ShardId;
import io.varve.rpc.ReplicateWire;
import org.junit.jupiter.api.Test;

/** The state that a puller reports while its attempts fail and succeed. */
class PullProgressTest {

  private static final ReplicateWire.Cursor CURSOR =
      new ReplicateWire.Cursor(9, 1, 8, 7, 7, 0, null);

  private final PullProgress progress = new PullProgress(new ShardId("follower", 0), 1_000);

  private State state() {
    return State.valueOf(progress.stats(2_000).state());
  }

  @Test
  void waitsUntilItReads() {
    assertThat(state()).isEqualTo(State.WAITING);
    progress.cursor(CURSOR);
    assertThat(state()).isEqualTo(State.WAITING);
    progress.resumed();
    assertThat(state()).isEqualTo(State.PULLING);
  }

  @Test
  void staysLostWhileNothingIsProvenToBeHeld() {
    assertThat(progress.lost("restored")).isTrue();
    assertThat(progress.lost("restored")).as("the same again").isFalse();

    progress.cursor(CURSOR);
    progress.resumed();
    progress.leaderEnd(20, 1_500);

    assertThat(state()).isEqualTo(State.LOST);
    assertThat(progress.stats(2_000).lastError()).isEqualTo("restored");
  }

  @Test
  void isNoLongerLostOnceOperationsAreHeldOrTheLeadersEndIsReached() {
    progress.lost("restored");
    progress.held(new ReplicateWire.Answer(10, 1, 8, 1), 1);
    assertThat(state()).isEqualTo(State.PULLING);

    progress.lost("restored");
    progress.cursor(CURSOR);
    progress.resumed();
    progress.leaderEnd(10, 1_500);
    assertThat(state()).isEqualTo(State.PULLING);
    assertThat(progress.stats(2_000).lastError()).isEmpty();
  }

  @Test
  void theLagIsNeverZeroWhileTheLeaderIsAway() {
    progress.cursor(CURSOR);
    progress.resumed();
    progress.leaderEnd(10, 1_500);
    assertThat(progress.stats(1_500).lagMillis()).isZero();

    progress.failed(State.WAITING, "the leader does not answer");
    progress.cursor(CURSOR);

    assertThat(progress.stats(9_500).lagMillis()).isEqualTo(8_000);
  }
}
