package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.IndexSettings;
import io.varve.testkit.sim.UpgradeHistory.Former;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A rolling upgrade of a cluster: processes of two releases are members of one cluster. All
 * invariants hold at both feature levels.
 */
class UpgradeHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(100);

  @Test
  void aStrongIndexExistsOnceAllProcessesAreNewAndTheLevelIsRaised() {
    for (long seed = 1; seed <= HISTORIES; seed++) {
      UpgradeHistory history =
          new UpgradeHistory(Former.WITHOUT_LEVELS, seed, Set.of(), Invariants.all());
      history.run();
      assertThat(
              IndexSettings.isStrong(
                  history.world.newestState().indices().get(Indices.LEADER).settings()))
          .as("seed %d", seed)
          .isTrue();
    }
  }

  /** The puller and the follower's copies may be of different releases. */
  @Test
  void aFollowerHasEachOperationOnceThoughItsClusterIsUpgradedMeanwhile() {
    int followedBefore = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      UpgradeHistory history =
          new UpgradeHistory(Former.WITH_FOLLOWERS, seed, Set.of(), Invariants.all());
      history.run();
      long last = history.world.logs().acceptedLog(World.FOLLOWER).lastSeqNo();
      assertThat(last).as("seed %d", seed).isGreaterThanOrEqualTo(history.followedBeforeTheRaise());
      followedBefore += history.followedBeforeTheRaise() > 0 ? 1 : 0;
    }
    assertThat(followedBefore).isGreaterThan(HISTORIES / 2);
  }
}
