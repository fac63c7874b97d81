package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Re-replication jobs write the records of a strongly consistent index, while clients write, and
 * processes end. No job writes a former value over a newer one, none passes a record that it has
 * not written, and after the last one each record is replicated.
 */
class WritingJobHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(100);

  @Test
  void whatAJobWritesFollowsWhatItFoundAndEachRecordIsReplicatedAfterIt() {
    int continued = 0;
    int done = 0;
    long written = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      WritingJobHistory history = new WritingJobHistory(seed, Set.of(), Invariants.all());
      history.run();
      continued += history.jobs.continued();
      done += history.jobs.done();
      written += history.jobs.written();
    }
    System.out.println(
        "jobs of %d histories: %d continued others, %d done, %d records written"
            .formatted(HISTORIES, continued, done, written));
    assertThat(continued).isGreaterThan(HISTORIES / 2);
    assertThat(done).isGreaterThan(HISTORIES);
    assertThat(written).isGreaterThan(10L * HISTORIES);
  }
}
