package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.IndexSettings;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A rolling upgrade of a cluster in which a strongly consistent index is requested: processes of
 * two releases are members of one cluster, and it exists only when all are new and the feature
 * level is raised. All invariants hold at both levels.
 */
class UpgradeHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(100);

  @Test
  void aStrongIndexExistsOnceAllProcessesAreNewAndTheLevelIsRaised() {
    for (long seed = 1; seed <= HISTORIES; seed++) {
      UpgradeHistory history = new UpgradeHistory(seed, Set.of(), Invariants.all());
      history.run();
      assertThat(
              IndexSettings.isStrong(
                  history.world.newestState().indices().get(Indices.LEADER).settings()))
          .as("seed %d", seed)
          .isTrue();
    }
  }
}
