package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * An index follows one of another cluster, which is restored from older copies of its brokers,
 * while pullers are killed at each of their steps and two pull for a moment. The follower has no
 * duplicate and no gap: it is a prefix of one history of its leader, and either reaches its end or
 * reports that the history is lost, under all invariants of the simulation.
 */
class RestoredLeaderHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final int HISTORIES = Histories.inThisRun(300);

  private static final class History {
    final long seed;
    final World world;
    final Chaos chaos;
    final Convergence convergence;

    History(long seed) {
      this.seed = seed;
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      WorldShape shape = WorldShape.draw(random).followingARemote();
      world = new World(shape, random, Set.of(), Invariants.all());
      chaos = new Chaos(world);
      convergence = new Convergence(world);
      world.start();
    }

    void pass(long micros) {
      world.runUntil(world.queue().nowMicros() + micros);
    }

    void passUpTo(long micros) {
      pass(1 + world.random().nextInt((int) micros));
    }

    void await(String what, BooleanSupplier condition) {
      for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
        pass(SECOND / 10);
      }
      assertThat(condition.getAsBoolean())
          .as("%s; seed %s, %s, %s%s", what, seed, world.shape(), world.notes(), lagging())
          .isTrue();
    }

    private String lagging() {
      return convergence.lagging()
          + "; the leader ends at "
          + world.remote().accepted().lastSeqNo();
    }

    long held() {
      return world.logs().acceptedLog(World.FOLLOWER).lastSeqNo();
    }

    boolean isLost() {
      return world.pullers().anyMatch(SimNode::hasLostItsLeader);
    }

    void comeTogether() {
      chaos.healAll();
      await("all come together", convergence::reached);
      world.observe(new Observation.Quiet());
    }
  }

  @Test
  void aFollowerOfARestoredLeaderIsAPrefixOfOneHistoryOrSaysLost() {
    int lost = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      History history = new History(seed);
      history.await("it follows", () -> history.held() > 3);
      for (int round = 0; round < 4; round++) {
        history.passUpTo(SECOND / 2);
        history.world.remote().restore();
        history.passUpTo(2 * SECOND);
        if (history.world.random().nextInt(3) == 0) {
          history.world.remote().restoreOriginal();
        }
      }
      history.comeTogether();
      lost += history.isLost() ? 1 : 0;
    }
    assertThat(lost).as("histories that were lost").isBetween(HISTORIES / 10, HISTORIES * 9 / 10);
  }

  @Test
  void aPullerThatIsKilledAtAnyStepLosesAndDoublesNothing() {
    int kills = 0;
    for (int seed = 1; seed <= HISTORIES; seed++) {
      History history = new History(seed);
      history.await("it follows", () -> history.held() >= 0);
      for (int kill = 0; kill < 3; kill++) {
        history.world.faults().killAPullerAfter((seed + 7 * kill) % 40);
        history.pass(SECOND / 3);
      }
      history.comeTogether();
      assertThat(history.isLost()).as("seed %s: the leader was never restored", seed).isFalse();
      assertThat(history.held()).isEqualTo(history.world.remote().accepted().lastSeqNo());
      kills += history.world.faults().pullersKilled();
    }
    assertThat(kills).isGreaterThan(HISTORIES);
  }

  @Test
  void severalPullersOfOneShardDoubleNothing() {
    for (int seed = 1; seed <= HISTORIES / 3; seed++) {
      History history = new History(seed);
      history.await("it follows", () -> history.held() >= 0);
      List<PullerActor> more = new ArrayList<>();
      FollowRelation follow =
          history
              .world
              .newestState()
              .index(World.FOLLOWER.indexUuid())
              .map(IndexMetadata::follow)
              .orElseThrow();
      history
          .world
          .pullers()
          .forEach(node -> {
            PullerActor another =
                new PullerActor(
                    history.world, node, RemoteLeader.SHARD, World.FOLLOWER, follow.assignment());
            another.start();
            more.add(another);
          });
      history.pass(SECOND);
      history.world.remote().restore();
      history.pass(SECOND);
      more.forEach(PullerActor::close);
      history.comeTogether();
    }
  }
}
