package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RecordOperations;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A history of a strongly consistent index without appeals, whose records jobs write again, while
 * clients write them too. Jobs are cancelled and continued, links fail, logs lose their tails, and
 * the processes of primaries, replicas and coordinators are killed. After all faults are healed, a
 * whole job runs. Then all copies hold each record, and the primary knows it.
 */
final class WritingJobHistory {

  private static final long SECOND = 1_000_000;
  private static final int KILLS = 2;

  /** The claim of a job whose coordinator was lost is awaited too. */
  private static final long PATIENCE_MICROS = 150 * SECOND;

  private static final RecordOperations TOUCH_WITH_UPDATE =
      new RecordOperations(true, "{\"job\":1}");

  final World world;
  final RereplicationJobs jobs;
  private final Random random;
  private final Chaos chaos;
  private final Convergence convergence;
  private final HistoryTime time;

  WritingJobHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(RereplicationHistory.shape(random), random, mutations, invariants);
    jobs =
        new RereplicationJobs(
            world, random.nextInt(3) == 0 ? TOUCH_WITH_UPDATE : RecordOperations.TOUCH);
    chaos = new Chaos(world);
    convergence = new Convergence(world);
    time = new HistoryTime(world, convergence);
  }

  void run() {
    world.start();
    world.clients().plan(0, 3 * SECOND);
    chaos.plan(3 * SECOND);
    for (int i = 0; i < KILLS; i++) {
      later(() -> killTheNode(CopyRouting::primary));
      later(() -> killTheNode(copy -> !copy.primary()));
    }
    later(this::killACoordinator);
    world.queue().at(SECOND / 4, jobs::begin);
    time.pass(4 * SECOND);
    chaos.healAll();
    jobs.hold();
    time.await("all come together", PATIENCE_MICROS, convergence::reached);
    jobs.calm();
    jobs.resume();
    int before = jobs.done();
    time.await("a job is done", PATIENCE_MICROS, () -> jobs.done() > before + 1);
    jobs.hold();
    time.await("all come together again", PATIENCE_MICROS, convergence::reached);
    time.await("all records are replicated", PATIENCE_MICROS, this::knowsAllRecords);
    world.observe(new Observation.Quiet());
    assertThat(jobs.failed())
        .as("jobs that an error of a record ended: %s", world.notes())
        .isZero();
  }

  private void later(Runnable fault) {
    world.queue().at(SECOND / 2 + random.nextInt(3 * (int) SECOND), fault);
  }

  private Stream<CopyRouting> copies() {
    return world.newestState().shard(world.leaderShard()).stream()
        .map(ShardRouting::copies)
        .flatMap(List::stream);
  }

  private void killTheNode(Predicate<CopyRouting> of) {
    copies()
        .filter(of)
        .map(CopyRouting::nodeId)
        .filter(nodeId -> nodeId != null)
        .map(world::node)
        .filter(node -> node.process().isUp())
        .findFirst()
        .ifPresent(node -> {
          world.note("kill " + node.process());
          node.kill();
          world.restartLater(node.process(), node::start);
        });
  }

  private void killACoordinator() {
    List<SimCoordinator> all = world.coordinators();
    SimCoordinator coordinator = all.get(random.nextInt(all.size()));
    if (coordinator.process().isUp()) {
      world.note("kill " + coordinator.process());
      coordinator.kill();
      world.restartLater(coordinator.process(), coordinator::start);
    }
  }

  /** Whether the primary knows each record to be replicated; the invariants check that it is. */
  private boolean knowsAllRecords() {
    return world.routedCopies(world.leaderShard()).stream()
        .filter(PrimaryActor.class::isInstance)
        .map(PrimaryActor.class::cast)
        .anyMatch(primary -> records(primary).allMatch(version -> knows(primary, version)));
  }

  private static Stream<Version> records(PrimaryActor primary) {
    return primary.visible().values().stream()
        .filter(shown -> !shown.isDelete())
        .map(shown -> Version.of(shown.id(), shown.seqNo(), shown.term()));
  }

  private boolean knows(PrimaryActor primary, Version version) {
    SimStrongReads reads = primary.strong();
    if (reads == null || !reads.knows(version)) {
      return false;
    }
    world.observe(new Observation.CalledReplicated(primary, version));
    return true;
  }
}
