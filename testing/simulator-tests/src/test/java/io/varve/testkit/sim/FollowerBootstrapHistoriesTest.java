package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.IndexMetadata;
import org.junit.jupiter.api.Test;

/**
 * An index begins to follow another one of which clients write and whose log is truncated. Its
 * puller is killed at each step of the bootstrap, its primary and the leader's node while segments
 * are copied, and links are cut. The follower ends with every operation of its leader exactly once,
 * under all invariants of the simulation.
 */
class FollowerBootstrapHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final int HISTORIES = Histories.inThisRun(200);

  @Test
  void aFollowerThatIsInterruptedAtAnyStepOfItsBootstrapHasEveryOperationOnce() {
    int replayed = 0;
    int copied = 0;
    int plannedAgain = 0;
    int waited = 0;
    int killed = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed);
      history.await("it exists", history::exists);
      for (int strike = 0; strike < 4; strike++) {
        history.world.faults().killAPullerAfter((int) (seed + strike) % 7);
        history.strike();
        history.pass(SECOND / 10);
      }
      history.comeTogether();
      replayed += history.says("begins with the leader's log") ? 1 : 0;
      copied += history.says("begins with generation") ? 1 : 0;
      plannedAgain += history.says("awaits another plan") ? 1 : 0;
      waited += history.says(", which its segments hold") ? 1 : 0;
      killed += history.world.faults().pullersKilled();
    }
    System.out.printf(
        "%d histories replay the log, %d copy segments, %d of them ahead of the log, %d plan again,"
            + " %d pullers are killed%n",
        replayed, copied, waited, plannedAgain, killed);
    assertThat(replayed).isGreaterThan(HISTORIES / 10);
    assertThat(copied).isGreaterThan(HISTORIES / 10);
    assertThat(plannedAgain).isPositive();
    assertThat(waited).isPositive();
    assertThat(killed).isGreaterThan(HISTORIES / 2);
  }

  @Test
  void itsLeaseIsRecordedByTheCoordinatorsAndRetainsTheLog() {
    for (long seed = 1; seed <= HISTORIES / 10; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed);
      history.comeTogether();
      World world = history.world;
      long retainedFrom =
          world
              .newestState()
              .index(World.LEADER.indexUuid())
              .map(IndexMetadata::leases)
              .map(leases -> leases.get(SimLease.holder(World.FOLLOWER)))
              .map(lease -> lease.retainedFrom(0))
              .orElse(-1L);

      // A copied manifest may end right before the log's start.
      assertThat(retainedFrom)
          .as("seed %d", seed)
          .isBetween(
              world.logs().partition(World.ops(World.LEADER)).startOffset() - 1,
              world.logs().partition(World.ops(World.LEADER)).endOffset());
    }
  }
}
