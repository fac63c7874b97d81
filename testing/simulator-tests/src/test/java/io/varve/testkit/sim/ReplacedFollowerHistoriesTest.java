package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import org.junit.jupiter.api.Test;

/**
 * A follower loses its leader's history: its pullers are away, its lease is removed, and the leader
 * truncates its log past what the follower has. A successor copies the leader and takes the name,
 * while processes and links fail. It ends with every operation of the leader exactly once, and the
 * former follower is deleted, under all invariants of the simulation.
 */
class ReplacedFollowerHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final int HISTORIES = Histories.inThisRun(300);

  @Test
  void aFollowerThatLostItsLeadersHistoryIsReplacedByACopyOfTheLeader() {
    int replaced = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed);
      World world = history.world;
      history.await("it follows", history::follows);
      history.pass(1 + world.random().nextInt((int) SECOND / 2));
      history.chaos.forgetTheFollower();
      for (int strike = 0; strike < 4; strike++) {
        history.pass(SECOND / 4);
        history.strike();
      }
      history.comeTogether();

      history.await("one follower is left", () -> followers(world.newestState()) == 1);
      boolean isReplaced = !world.indices().followerShard().equals(World.FOLLOWER);
      replaced += isReplaced ? 1 : 0;
    }
    System.out.printf("%d followers are replaced of %d%n", replaced, HISTORIES);
    assertThat(replaced).isGreaterThan(HISTORIES / 10);
  }

  private static long followers(ClusterState state) {
    return state.indices().values().stream().filter(index -> index.follow() != null).count();
  }
}
