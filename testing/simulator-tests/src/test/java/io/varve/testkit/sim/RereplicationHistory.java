package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.RecordOperations;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A history of a strongly consistent index without appeals, whose new primaries know nothing of the
 * records of former ones. Jobs prove these records; they are cancelled and continued, while clients
 * write, links fail, and the processes of primaries and coordinators are killed. It ends when a job
 * that begins after all faults are healed is done.
 */
final class RereplicationHistory {

  private static final long SECOND = 1_000_000;
  private static final int KILLED_PRIMARIES = 3;

  /** The claim of a job whose coordinator was lost is awaited too. */
  private static final long PATIENCE_MICROS = 150 * SECOND;

  final World world;
  final RereplicationJobs jobs;
  private final Random random;
  private final Chaos chaos;
  private final Convergence convergence;
  private final HistoryTime time;

  RereplicationHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    jobs = new RereplicationJobs(world, RecordOperations.READ);
    chaos = new Chaos(world);
    convergence = new Convergence(world);
    time = new HistoryTime(world, convergence);
  }

  /** An index with an odd number of documents has no appeals. */
  static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).withStrongLeader().truncatingAlone())
        .filter(shape -> shape.documents() % 2 == 1)
        .findFirst()
        .orElseThrow();
  }

  void run() {
    world.start();
    world.clients().plan(0, 3 * SECOND);
    chaos.plan(3 * SECOND);
    for (int i = 0; i < KILLED_PRIMARIES; i++) {
      world.queue().at(SECOND / 2 + random.nextInt(3 * (int) SECOND), this::killThePrimary);
    }
    world.queue().at(SECOND / 4, jobs::begin);
    time.pass(4 * SECOND);
    chaos.healAll();
    time.await("all come together", PATIENCE_MICROS, convergence::reached);
    jobs.calm();
    int before = jobs.done();
    time.await("a job is done", PATIENCE_MICROS, () -> jobs.done() > before + 1);
    world.observe(new Observation.Quiet());
  }

  private void killThePrimary() {
    world
        .newestState()
        .shard(world.leaderShard())
        .map(ShardRouting::primary)
        .map(CopyRouting::nodeId)
        .map(world::node)
        .filter(node -> node.process().isUp())
        .ifPresent(node -> {
          world.note("kill " + node.process());
          node.kill();
          world.restartLater(node.process(), node::start);
        });
  }
}
