package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.events.StoredRecord;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** A world in which the log of the leader index loses its end for a time. */
record CutLogWorld(World world, Random random, Convergence convergence) {

  private static final long SECOND = 1_000_000;

  /** Longer than any process is away. */
  static final long LONGEST_MICROS = 2 * SECOND;

  void pass(long micros) {
    world.runUntil(world.queue().nowMicros() + micros);
  }

  void passAtMost(long micros) {
    pass(random.nextInt((int) micros));
  }

  /** Looks once in {@code everyMicros}, at most {@code times} times. */
  void await(String what, int times, long everyMicros, BooleanSupplier condition) {
    for (int i = 0; i < times && !condition.getAsBoolean(); i++) {
      pass(everyMicros);
    }
    assertThat(condition.getAsBoolean()).as("%s; %s", what, world.notes()).isTrue();
  }

  boolean allServe() {
    return world
        .newestState()
        .shard(World.LEADER)
        .filter(shard -> shard.copies().stream().allMatch(CopyRouting::started))
        .isPresent();
  }

  /** Gives the log its end back, and ends as soon as all copies show the whole log. */
  void restore(SimulatedPartition log, long startOffset, List<StoredRecord> tail) {
    world.note("the log has its end again");
    log.restore(startOffset, tail);
    pass(LONGEST_MICROS);
    for (int i = 0; i < 300 && !convergence.reached(); i++) {
      pass(SECOND / 10);
    }
    world.observe(new Observation.Quiet());
    assertThat(convergence.reached())
        .as("%s, %s, %s", convergence.lagging(), world.shape(), world.notes())
        .isTrue();
  }
}
