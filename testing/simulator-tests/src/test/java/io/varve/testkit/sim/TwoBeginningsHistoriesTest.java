package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Two primaries of a follower copy their leader's segments at the same time. The log decides which
 * copy is kept: one that contradicts it is discarded, and the follower ends with every operation of
 * its leader exactly once.
 */
class TwoBeginningsHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(200);

  @Test
  void aCopyThatContradictsTheLogThatItFindsIsDiscarded() {
    int both = 0;
    int late = 0;
    int discarded = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      TwoBeginningsHistory two = new TwoBeginningsHistory(seed, Set.of(), Invariants.all());
      two.run();
      both += two.beginnings() > 1 ? 1 : 0;
      late += two.deliversLate() ? 1 : 0;
      discarded += two.history.says("discards its segments") ? 1 : 0;
    }
    System.out.printf(
        "two primaries begin in %d histories, the first one takes operations in %d, %d copies are"
            + " discarded%n",
        both, late, discarded);
    assertThat(late).isPositive();
    assertThat(both).isGreaterThan(HISTORIES / 10);
    assertThat(discarded).isPositive();
  }
}
