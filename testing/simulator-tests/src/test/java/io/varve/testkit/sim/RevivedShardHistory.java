package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.Revival;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.rpc.RecordOperations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A history of a strongly consistent index whose log loses its end for good, while clients write
 * and read, and jobs write its records again. The shard is revived from the most advanced copy, and
 * the jobs continue.
 */
final class RevivedShardHistory {

  private static final long SECOND = 1_000_000;

  private static final Comparator<Held> FURTHEST =
      Comparator.comparingLong((Held held) -> held.at().fenceTerm())
          .thenComparingLong(held -> held.at().nextSeqNo());

  /** The folder of a copy, and how far its commit is. */
  record Held(SimNode node, AppliedPosition at) {}

  final World world;
  final RereplicationJobs jobs;
  private final Convergence convergence;
  private final Random random;

  RevivedShardHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    jobs = new RereplicationJobs(world, RecordOperations.TOUCH);
    convergence = new Convergence(world);
    world.start();
    world.faults().heal();
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).withStrongLeader())
        .filter(shape -> !shape.follower() && !shape.remoteStore())
        .findFirst()
        .orElseThrow();
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

  void loseTheTail() {
    SimulatedPartition log = world.logs().partition(World.ops(World.LEADER));
    await(
        "the log holds a published operation",
        () -> world.logs().publishedOffset(World.LEADER) > log.startOffset());
    long start = log.startOffset();
    long published = world.logs().publishedOffset(World.LEADER);
    long end = start + random.nextInt((int) (published - start));
    world.note("the log ends at " + end + " instead of " + log.endOffset());
    assertThat(log.cutEndUnderWriters(end)).isNotEmpty();
  }

  boolean isDead() {
    SimCoordinator leader = world.leader();
    return leader != null
        && leader
            .state()
            .shard(World.LEADER)
            .filter(routing -> !leader.state().active(routing.primary()))
            .isPresent();
  }

  private boolean isBeingRevived() {
    SimCoordinator leader = world.leader();
    return leader != null
        && leader
            .state()
            .shard(World.LEADER)
            .filter(routing -> routing.revival() != null)
            .isPresent();
  }

  List<Held> folders() {
    List<Held> all = new ArrayList<>();
    for (SimNode node : world.nodes()) {
      if (!node.roles().contains(NodeInfo.SEARCH)) {
        node.disks().values().stream()
            .filter(disk -> disk.commit != null)
            .forEach(disk -> all.add(new Held(node, disk.commit.checkpoint())));
      }
    }
    return all;
  }

  void revive(Held from) {
    SimCoordinator leader = world.leader();
    assertThat(leader).isNotNull();
    ShardRouting routing = leader.state().shard(World.LEADER).orElseThrow();
    long term = routing.newestTerm() + 1;
    world.note("revive from " + from.at() + " on " + from.node().process());
    leader.execute(
        new ClusterCommand.ReviveShard(
            World.LEADER,
            routing.newestTerm(),
            from.node().nodeId(),
            new Revival(term, from.at().nextSeqNo(), from.at().fenceTerm())));
  }

  /** Writes and reads, loses the end of the log, revives the shard, and goes on. */
  void run() {
    world.clients().plan(world.queue().nowMicros(), 2 * SECOND);
    jobs.begin();
    pass(SECOND + random.nextInt((int) SECOND));
    loseTheTail();
    pass(2 * SECOND);
    await("the shard is dead", this::isDead);
    // The copies notice one after the other, and make durable what they hold.
    pass(3 * SECOND);
    Held chosen = folders().stream().max(FURTHEST).orElseThrow();
    await(
        "the shard is revived",
        () -> {
          if (isDead() && !isBeingRevived()) {
            revive(chosen);
          }
          return !isDead();
        });
    world.clients().plan(world.queue().nowMicros(), SECOND);
    pass(2 * SECOND);
    jobs.calm();
    int before = jobs.done();
    await("a job is done", () -> jobs.done() > before + 1);
    jobs.hold();
    await("all come together", convergence::reached);
    world.observe(new Observation.Quiet());
  }
}
