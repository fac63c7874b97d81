package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * Brokers fail over, one after the other, while all processes of the cluster run: partitions of
 * heartbeats, the cluster log, or all logs are unavailable for a time that may be longer than the
 * node timeout. At the end a node is cut from the log.
 */
final class LogOutageHistory {

  private static final long SECOND = 1_000_000;
  private static final int OUTAGES = 6;

  /** Longer than the node timeout, which is less than half a second of virtual time. */
  private static final int LONGEST_MICROS = 2_000_000;

  private final World world;
  private final Random random;
  private final HistoryTime time;
  private final Convergence convergence;
  private final List<String> removed = new ArrayList<>();

  LogOutageHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    WorldShape shape = WorldShape.draw(random).withCoordinators(1 + random.nextInt(3));
    List<Invariant> all = new ArrayList<>(invariants);
    all.add(this::remember);
    world = new World(shape, random, mutations, all);
    convergence = new Convergence(world);
    time = new HistoryTime(world, convergence);
  }

  private void remember(Observation observation, World observed) {
    if (observation instanceof Observation.Removed(var member, String reason)) {
      removed.add(observed.queue().nowMillis() + " " + member.nodeId() + ": " + reason);
    }
  }

  void run() {
    world.start();
    world.faults().heal();
    time.await("all copies start", 60 * SECOND, convergence::reached);
    removed.clear();
    ShardRouting before = routing();
    for (int i = 0; i < OUTAGES; i++) {
      failOver();
      time.pass(SECOND / 2 + random.nextInt((int) SECOND));
    }
    time.await("the cluster works again", 60 * SECOND, this::works);
    assertThat(removed).as("%s, %s", world.shape(), world.notes()).isEmpty();
    assertThat(routing().primary().nodeId()).isEqualTo(before.primary().nodeId());
    cutANode();
  }

  private ShardRouting routing() {
    return world.newestState().shard(World.LEADER).orElseThrow();
  }

  private boolean works() {
    return convergence.reached() && world.coordinators().stream().allMatch(SimCoordinator::serves);
  }

  /** Partitions without a leading broker, for a time. */
  private void failOver() {
    long micros = random.nextInt(LONGEST_MICROS);
    List<SimulatedPartition> hit = new ArrayList<>();
    switch (random.nextInt(4)) {
      case 0 -> hit.add(heartbeats(random.nextInt(Topics.NODES_PARTITIONS)));
      case 1 -> hit.add(heartbeatsOf(Objects.requireNonNull(world.leader())));
      case 2 -> {
        for (SimulatedPartition partition : world.logs().partitions()) {
          if (random.nextBoolean()) {
            hit.add(partition);
          }
        }
      }
      default -> world.logs().partitions().forEach(hit::add);
    }
    for (SimulatedPartition partition : hit) {
      world.note(
          partition.topic() + " " + partition.number() + " fails over in " + micros / 1000 + " ms");
      // The next leader of each partition is found at another time.
      partition.unavailableFor(micros + random.nextInt(300_000));
    }
    time.pass(micros);
    time.await("a leader", 60 * SECOND, () -> world.leader() != null);
  }

  private SimulatedPartition heartbeatsOf(SimCoordinator coordinator) {
    return heartbeats(Topics.partitionOf(coordinator.process().name(), Topics.NODES_PARTITIONS));
  }

  private SimulatedPartition heartbeats(int number) {
    return world.logs().partition(SimHeartbeats.TOPICS.nodes(), number);
  }

  /** A node that is silent although the log is heard leaves. */
  private void cutANode() {
    String nodeId = Objects.requireNonNull(routing().primary().nodeId());
    world.note("cut " + nodeId + " from the log");
    world.network().cut(nodeId, Network.LOG);
    time.await("it leaves", 60 * SECOND, () -> !members().nodes().containsKey(nodeId));
  }

  private ClusterState members() {
    return world.newestState();
  }
}
