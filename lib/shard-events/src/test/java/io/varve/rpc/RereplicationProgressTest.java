package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.RereplicationPage.Outcomes;
import io.varve.rpc.RereplicationPage.Proofs;
import io.varve.rpc.RereplicationPage.Writes;
import org.junit.jupiter.api.Test;

/** Where a job is in a shard after each answer, also after it was continued. */
class RereplicationProgressTest {

  private static final RereplicationPosition HALF = new RereplicationPosition(3, "n1-1", 5, 10);

  private static RereplicationPage page(RereplicationPosition next, long left) {
    return new RereplicationPage(
        next, left, 0, new Outcomes(4, new Proofs(3, 0, 1, 0), Writes.NONE), null, null);
  }

  @Test
  void aJobAdvancesByTheAnswersOfItsPrimary() {
    RereplicationProgress begun =
        RereplicationProgress.from(RereplicationPosition.START).withLeft(10);

    RereplicationProgress half = begun.after(page(HALF, -1), false);
    RereplicationProgress whole =
        half.after(page(new RereplicationPosition(3, "n1-1", 10, 10), 1), false);

    assertThat(half.at()).isEqualTo(HALF);
    assertThat(half.done()).isFalse();
    assertThat(half.left()).as("estimated: three were proven").isEqualTo(7);
    assertThat(whole.done()).isTrue();
    assertThat(whole.left()).as("counted").isEqualTo(1);
    assertThat(whole.outcomes().checked()).isEqualTo(8);
    assertThat(whole.restarted()).isFalse();
  }

  @Test
  void aContinuedJobSaysThatAnotherPrimaryBeganItAgain() {
    RereplicationPosition other = new RereplicationPosition(4, "n2-1", 3, 12);

    assertThat(RereplicationProgress.from(HALF).after(page(other, -1), false).restarted()).isTrue();
  }

  @Test
  void aJobThatWritesWasBegunAgainIfItsWalkHasAnotherEnd() {
    RereplicationPosition continued = new RereplicationPosition(4, "n2-1", 7, 10);
    RereplicationPosition revived = new RereplicationPosition(4, "n2-1", 3, 12);

    RereplicationProgress half = RereplicationProgress.from(HALF);
    assertThat(half.after(page(continued, -1), true).restarted()).isFalse();
    assertThat(half.after(page(revived, -1), true).restarted()).isTrue();
  }

  /** Its writes are in the log; what a primary knew is gone with it. */
  @Test
  void underAnotherPrimaryOnlyAJobThatWritesGoesOn() {
    assertThat(HALF.under(3, "n1-1", false)).isEqualTo(HALF);
    assertThat(HALF.under(3, "n1-2", false)).isEqualTo(RereplicationPosition.START);
    assertThat(HALF.under(4, "n1-1", false)).isEqualTo(RereplicationPosition.START);
    assertThat(HALF.under(4, "n2-1", true)).isEqualTo(HALF);
  }
}
