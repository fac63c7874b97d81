package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.PullerAssignment;
import io.varve.cluster.ShardRouting;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A follower pauses, is cut off and loses its nodes, while its leader continues to write and
 * truncates its log. At the end the follower has every operation of its leader exactly once, under
 * all invariants of the simulation.
 */
class FollowedClusterHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final long DAY = 24 * 3600 * SECOND;

  /** A simulated cluster and a sequence of events in it. */
  private static final class History {
    final World world;
    final Chaos chaos;
    final Convergence convergence;

    History(long seed) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      WorldShape shape = WorldShape.draw(random).followed();
      world = new World(shape, random, Set.of(), Invariants.all());
      chaos = new Chaos(world);
      convergence = new Convergence(world);
      world.start();
    }

    void pass(long micros) {
      world.runUntil(world.queue().nowMicros() + micros);
    }

    void await(String what, BooleanSupplier condition) {
      for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
        pass(SECOND / 10);
      }
      assertThat(condition.getAsBoolean())
          .as("%s; %s, %s%s", what, world.shape(), world.notes(), convergence.lagging())
          .isTrue();
    }

    void writeFor(long micros) {
      world.clients().plan(world.queue().nowMicros(), micros);
      pass(micros);
    }

    void comeTogether() {
      chaos.healAll();
      await("all come together", convergence::reached);
      world.observe(new Observation.Quiet());
      assertThat(last(World.FOLLOWER)).isEqualTo(last(World.LEADER)).isPositive();
    }

    long last(ShardId shard) {
      return world.logs().acceptedLog(shard).lastSeqNo();
    }

    /** The node that currently pulls. */
    SimNode puller() {
      return world.node(pullers().getFirst());
    }

    List<String> pullers() {
      return world
          .newestState()
          .index(World.FOLLOWER.indexUuid())
          .map(index -> PullerAssignment.nodes(world.newestState(), index))
          .orElse(List.of());
    }

    CopyRouting followersPrimary() {
      return world.newestState().shard(World.FOLLOWER).map(ShardRouting::primary).orElseThrow();
    }

    boolean followersPrimaryServes() {
      CopyRouting primary = followersPrimary();
      return primary.started() && world.newestState().active(primary);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whatWasWrittenWhileItStoodStillIsPulledFromWhereItStood(long seed) {
    standsStillFor(30 * SECOND, seed);
  }

  @Test
  @Tag("nightly")
  void aPauseOfADayIsCaughtUpWith() {
    standsStillFor(DAY, 77);
  }

  private static void standsStillFor(long pauseMicros, long seed) {
    History history = new History(seed);
    World world = history.world;
    world.faults().heal();
    history.writeFor(SECOND);
    history.await("it follows", () -> history.last(World.FOLLOWER) > 0);
    world.node("f1").kill();
    world.node("f2").kill();
    history.pass(SECOND);
    long stoodAt = history.last(World.FOLLOWER);
    history.writeFor(2 * SECOND);
    history.pass(pauseMicros);
    assertThat(history.last(World.FOLLOWER)).as("nobody pulls").isEqualTo(stoodAt);
    assertThat(history.last(World.LEADER)).isGreaterThan(stoodAt);
    SimulatedPartition leaders = world.logs().partition(World.ops(World.LEADER));
    assertThat(leaders.startOffset())
        .as("the leader keeps what comes after seq_no %d", stoodAt)
        .isLessThanOrEqualTo(
            world.logs().acceptedLog(World.LEADER).accepted().get((int) stoodAt + 1).offset());

    world.node("f1").start();
    world.node("f2").start();
    history.writeFor(SECOND);

    history.comeTogether();
    assertThat(operationsIn(world.logs().partition(World.ops(World.FOLLOWER))))
        .as("none was pulled twice")
        .isEqualTo(
            world.logs().acceptedLog(World.FOLLOWER).accepted().stream()
                .filter(accepted -> !accepted.isBeforeTheLog())
                .count());
  }

  private static long operationsIn(SimulatedPartition partition) {
    return partition.all().stream()
        .filter(
            stored -> RecordHeader.read(stored.record().header()).kind() == RecordHeader.Kind.DATA)
        .count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void aLinkThatIsCutInTheMiddleOfWhatComesLosesAndDoublesNothing(long seed) {
    History history = new History(seed);
    World world = history.world;
    history.await("somebody pulls", () -> history.world.leader() != null && pulled(history));
    for (int cut = 0; cut < 4; cut++) {
      history.writeFor(SECOND / 2);
      String puller = history.puller().nodeId();
      String other = cut % 2 == 0 ? Network.LOG : history.followersPrimary().nodeId();
      world.network().cut(puller, String.valueOf(other));
      history.writeFor(SECOND / 5 + world.random().nextInt((int) SECOND));
      world.network().heal(puller, String.valueOf(other));
    }
    history.comeTogether();
  }

  private static boolean pulled(History history) {
    return !history.pullers().isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void itFailsOverAndBackWhileItFollows(long seed) {
    History history = new History(seed);
    history.await("it serves", () -> pulled(history) && history.followersPrimaryServes());
    for (int round = 0; round < 2; round++) {
      history.writeFor(SECOND / 2);
      SimNode puller = history.puller();
      SimNode primary = history.world.node(String.valueOf(history.followersPrimary().nodeId()));
      primary.kill();
      puller.kill();
      history.writeFor(SECOND);
      if (!primary.process().isUp()) {
        primary.start();
      }
      puller.start();
      history.await("it serves again", () -> pulled(history) && history.followersPrimaryServes());
    }
    history.comeTogether();
    assertThat(
            history.world.logs().acceptedLog(World.FOLLOWER).accepted().stream()
                .map(accepted -> accepted.operation().term())
                .collect(Collectors.toSet()))
        .as("terms of the follower's primaries")
        .hasSizeGreaterThan(1);
  }
}
