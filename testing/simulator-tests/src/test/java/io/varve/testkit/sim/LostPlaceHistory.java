package io.varve.testkit.sim;

import io.varve.cluster.ShardRouting;
import io.varve.events.StoredRecord;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A history in which a truncated log loses its end while the node of the primary is away and loses
 * its disk. The folder of the only replica then has the only copy of acked operations. The replica
 * refuses the log until the end is restored, and must be the one that the shard continues from.
 */
final class LostPlaceHistory {

  private static final long SECOND = 1_000_000;

  private static final long LONGEST_MICROS = CutLogWorld.LONGEST_MICROS;

  private final World world;
  private final Random random;
  private final CutLogWorld cut;

  LostPlaceHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    cut = new CutLogWorld(world, random, new Convergence(world));
    world.start();
    world.faults().heal();
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).withStrongLeader().truncatingAlone())
        .filter(shape -> shape.replicas() == 1)
        .findFirst()
        .orElseThrow();
  }

  /** Ends as soon as all copies show the whole log. */
  void run() {
    world.clients().plan(world.queue().nowMicros(), 2 * SECOND);
    SimulatedPartition log = world.logs().partition(World.ops(World.LEADER));
    cut.await(
        "the log is truncated",
        600,
        SECOND / 100,
        () -> log.startOffset() > 0 && cut.allServe() && mayBeCut(log));
    long start = log.startOffset();
    loseThePrimarysDisk();
    cut.passAtMost(200_000);
    List<StoredRecord> tail = loseTheTail(log);
    cut.passAtMost(LONGEST_MICROS);
    cut.restore(log, start, tail);
  }

  private boolean mayBeCut(SimulatedPartition log) {
    return world.logs().publishedOffset(World.LEADER) > log.startOffset();
  }

  private void loseThePrimarysDisk() {
    ShardRouting shard = world.newestState().shard(World.LEADER).orElseThrow();
    SimNode node = world.node(String.valueOf(shard.primary().nodeId()));
    world.note("lose the disk of " + node.process());
    node.kill();
    node.loseDisk();
    world.queue().after(random.nextInt((int) LONGEST_MICROS), node::start);
  }

  private List<StoredRecord> loseTheTail(SimulatedPartition log) {
    long start = log.startOffset();
    long published = world.logs().publishedOffset(World.LEADER);
    long end = start + random.nextInt((int) (published - start));
    world.note("the log ends at " + end + " instead of " + log.endOffset());
    return log.cutEndUnderWriters(end);
  }
}
