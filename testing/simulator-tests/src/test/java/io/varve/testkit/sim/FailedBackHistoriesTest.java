package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Former leader indices fail back to their promoted followers, while primaries of the former index
 * still write and processes are killed. Each new index ends with every operation of the promoted
 * one exactly once, and the quarantine has what the former index accepted after the fork.
 */
class FailedBackHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(150);

  @Test
  void theNewIndexHasTheHistoryOfThePromotedOneAndTheQuarantineHasTheRest() {
    int replayed = 0;
    int continued = 0;
    int copied = 0;
    int again = 0;
    int quarantined = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      FailbackHistory history = new FailbackHistory(seed, Set.of(), Invariants.all());
      history.run();
      replayed += history.says("replayed the former log") ? 1 : 0;
      continued += history.says("continued from a pinned commit") ? 1 : 0;
      copied += history.says("can't replay the former log") ? 1 : 0;
      again += history.says("tries to fail back again") ? 1 : 0;
      quarantined += history.world.logs().partition(QuarantineLog.TOPIC).all().isEmpty() ? 0 : 1;
    }
    System.out.printf(
        "%d histories replay the former log, %d continue from a pinned commit, %d copy the promoted"
            + " index, %d try again, %d have operations in quarantine%n",
        replayed, continued, copied, again, quarantined);
    assertThat(continued).isPositive();
    assertThat(replayed).isGreaterThan(HISTORIES / 5);
    assertThat(copied).isGreaterThan(HISTORIES / 10);
    assertThat(again).isPositive();
    assertThat(quarantined).isGreaterThan(HISTORIES / 2);
  }

  /** The fork had the seq_no of an operation and the origin of the one before it. */
  @Test
  void theForkIsTheOriginOfItsOperationAlthoughTheCopiedSegmentsHadItBefore() {
    new FailbackHistory(50, Set.of(), Invariants.all()).run();
  }
}
