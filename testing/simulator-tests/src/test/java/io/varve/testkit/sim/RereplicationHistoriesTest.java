package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Re-replication jobs of a strongly consistent index are cancelled, lost with their coordinators,
 * and continued with their tokens, under the same primary or under another one. None passes a
 * record that is not replicated, and the last one is done.
 */
class RereplicationHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(100);

  @Test
  void aJobThatIsContinuedPassesOnlyWhatIsReplicated() {
    int cancelled = 0;
    int continued = 0;
    int done = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      RereplicationHistory history = new RereplicationHistory(seed, Set.of(), Invariants.all());
      history.run();
      cancelled += history.jobs.cancelled();
      continued += history.jobs.continued();
      done += history.jobs.done();
    }
    System.out.println(
        "jobs of %d histories: %d cancelled, %d continued others, %d done"
            .formatted(HISTORIES, cancelled, continued, done));
    assertThat(cancelled).isGreaterThan(HISTORIES);
    assertThat(continued).isGreaterThan(HISTORIES / 2);
    assertThat(done).isGreaterThan(HISTORIES);
  }
}
