package io.varve.testkit.sim;

import io.varve.cluster.NodeInfo;
import io.varve.control.ChangeAcknowledgement;
import io.varve.control.command.ClusterCommand;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Clients that change the cluster state through any coordinator, and send other requests through
 * any other. A change is acknowledged in the order of production's {@code AppliedWait}, as
 * production's {@link ChangeAcknowledgement} decides.
 */
final class SimChanges {

  private static final long PATIENCE_MICROS = 1_500_000;
  private static final long PAUSE_MICROS = 10_000;
  private static final long POLL_MICROS = 3_000;

  private final World world;
  private int number;
  private int acknowledged;

  SimChanges(World world) {
    this.world = world;
  }

  /** How many changes were acknowledged. */
  int acknowledged() {
    return acknowledged;
  }

  /** Plans changes, and requests that depend on them. */
  void plan(int changes, int requests, long withinMicros) {
    for (int i = 0; i < changes; i++) {
      world.queue().at((long) (world.random().nextDouble() * withinMicros), this::change);
    }
    for (int i = 0; i < requests; i++) {
      world.queue().at((long) (world.random().nextDouble() * withinMicros), this::request);
    }
  }

  private SimCoordinator any() {
    List<SimCoordinator> all = world.coordinators();
    return all.get(world.random().nextInt(all.size()));
  }

  private SimCoordinator named(String nodeId) {
    return world.coordinators().stream()
        .filter(coordinator -> coordinator.process().name().equals(nodeId))
        .findFirst()
        .orElseThrow();
  }

  private void request() {
    SimCoordinator coordinator = any();
    if (coordinator.serves() && !coordinator.process().isFrozen()) {
      world.observe(
          new Observation.Requested(coordinator.process().toString(), coordinator.state()));
    }
  }

  private void change() {
    SimCoordinator coordinator = any();
    SimCoordinator leader = world.leader();
    if (!coordinator.serves() || leader == null) {
      return;
    }
    ClusterCommand command =
        new ClusterCommand.UpdateClusterSettings(
            Map.of("cluster.remote.east.seeds", "127.0.0.1:" + (1_000 + ++number)), Map.of());
    world
        .network()
        .<Long>call(
            coordinator.process(),
            leader.process(),
            reply -> leader.execute(command, reply),
            version -> applied(coordinator, version),
            () -> world.note("the outcome of a change is unknown"));
  }

  private void applied(SimCoordinator coordinator, long version) {
    long deadlineMicros = world.queue().nowMicros() + PATIENCE_MICROS;
    await(
        coordinator,
        version,
        deadlineMicros,
        _ -> new Acknowledgement(coordinator, version, deadlineMicros).look());
  }

  /** Answers with the version that a coordinator has applied, when it has reached this one. */
  private void await(
      SimCoordinator coordinator, long version, long deadlineMicros, Consumer<Long> reply) {
    if (coordinator.state().version() >= version) {
      reply.accept(coordinator.state().version());
    } else if (world.queue().nowMicros() < deadlineMicros) {
      coordinator
          .process()
          .after(POLL_MICROS, () -> await(coordinator, version, deadlineMicros, reply));
    }
  }

  private final class Acknowledgement {

    private final SimCoordinator coordinator;
    private final long version;
    private final long deadlineMicros;
    private final ChangeAcknowledgement change;
    private final Set<String> asked = new HashSet<>();

    Acknowledgement(SimCoordinator coordinator, long version, long deadlineMicros) {
      this.coordinator = coordinator;
      this.version = version;
      this.deadlineMicros = deadlineMicros;
      this.change = new ChangeAcknowledgement(coordinator.process().name(), version);
    }

    void look() {
      List<NodeInfo> open = change.open(coordinator.state());
      if (open.isEmpty() || world.mutated(Mutation.ACKNOWLEDGE_WHAT_OTHERS_HAVE_NOT_APPLIED)) {
        acknowledged++;
        world.observe(new Observation.Acknowledged(version, coordinator.state()));
      } else if (world.queue().nowMicros() < deadlineMicros) {
        open.forEach(this::ask);
        coordinator.process().after(PAUSE_MICROS, this::look);
      }
    }

    private void ask(NodeInfo member) {
      if (!asked.add(member.incarnation())) {
        return;
      }
      SimCoordinator other = named(member.nodeId());
      world
          .network()
          .<Long>call(
              coordinator.process(),
              other.process(),
              reply -> await(other, version, deadlineMicros, reply),
              applied -> {
                var _ = change.answered(member, applied);
              },
              () -> asked.remove(member.incarnation()));
    }
  }
}
