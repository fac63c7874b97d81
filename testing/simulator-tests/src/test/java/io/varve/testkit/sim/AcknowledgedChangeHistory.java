package io.varve.testkit.sim;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Clients change the cluster state and send requests through several coordinators, which lose the
 * cluster's topics for a while, end and start again, while faults are injected as in {@link
 * Simulation}.
 */
final class AcknowledgedChangeHistory {

  private static final long SECOND = 1_000_000;
  private static final int CHANGES = 120;
  private static final int REQUESTS = 2_000;
  private static final int FAULTS = 12;

  private final World world;
  private final Random random;
  private final Chaos chaos;
  private final HistoryTime time;

  AcknowledgedChangeHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    chaos = new Chaos(world);
    time = new HistoryTime(world, new Convergence(world));
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random))
        .filter(shape -> !shape.follower())
        .findFirst()
        .orElseThrow()
        .withCoordinators(2 + random.nextInt(2));
  }

  /** Returns how many changes were acknowledged. */
  int run() {
    world.start();
    SimChanges changes = new SimChanges(world);
    changes.plan(CHANGES, REQUESTS, 4 * SECOND);
    chaos.plan(3 * SECOND);
    for (int i = 0; i < FAULTS; i++) {
      world.queue().at((long) (random.nextDouble() * 3 * SECOND), this::strike);
    }
    time.pass(3 * SECOND + SECOND / 2);
    chaos.healAll();
    time.pass(SECOND);
    return changes.acknowledged();
  }

  private void strike() {
    List<SimCoordinator> all = world.coordinators();
    SimCoordinator coordinator = all.get(random.nextInt(all.size()));
    String name = coordinator.process().name();
    long micros = random.nextInt((int) SECOND);
    if (random.nextBoolean()) {
      world.note("cut " + name + " from the topics of the cluster");
      world.network().cut(name, Network.CLUSTER_TOPICS);
      world.queue().after(micros, () -> world.network().heal(name, Network.CLUSTER_TOPICS));
    } else if (coordinator.process().isUp()) {
      world.note("kill " + coordinator.process());
      coordinator.kill();
      world.restartLater(coordinator.process(), coordinator::start);
    }
  }
}
