package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All nodes are down, the log of an index loses its end, and the nodes restart: no copy serves or
 * appends. Once the log is restored the copies recover by themselves, and every acked write is
 * present, under all invariants of the simulation.
 */
class LostLogHistoriesTest {

  private static final long SECOND = 1_000_000;

  private static final class History {
    final World world;
    final Chaos chaos;
    final Convergence convergence;

    History(long seed) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      world = new World(WorldShape.draw(random), random, Set.of(), Invariants.all());
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

    List<SimCopy> copiesOfLeader() {
      List<SimCopy> copies = new ArrayList<>();
      world.nodes().forEach(node -> copies.addAll(node.openCopies()));
      copies.removeIf(copy -> !copy.shard().equals(World.LEADER));
      return copies;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void noCopyServesOrAppendsOnALogThatLostItsTail(long seed) {
    History history = new History(seed);
    World world = history.world;
    world.faults().heal();
    world.clients().plan(world.queue().nowMicros(), 2 * SECOND);
    history.pass(3 * SECOND);
    history.await("all is shown", history.convergence::reached);
    SimulatedPartition log = world.logs().partition(World.ops(World.LEADER));
    world.nodes().forEach(SimNode::kill);
    long start = log.startOffset();
    long cutAt = log.endOffset() / 2;
    List<StoredRecord> tail = log.cutEnd(cutAt);
    assertThat(tail).isNotEmpty();

    world.nodes().forEach(SimNode::start);
    world.clients().plan(world.queue().nowMicros(), SECOND);
    history.pass(10 * SECOND);

    assertThat(log.endOffset()).as("nothing was appended").isEqualTo(cutAt);
    assertThat(history.copiesOfLeader()).allMatch(copy -> copy.visibleSeqNo() == -1);

    log.restore(start, tail);
    history.chaos.healAll();
    history.await("all come together", history.convergence::reached);
    world.observe(new Observation.Quiet());
    assertThat(world.logs().acceptedLog(World.LEADER).lastSeqNo()).isPositive();
  }
}
