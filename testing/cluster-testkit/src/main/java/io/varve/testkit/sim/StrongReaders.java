package io.varve.testkit.sim;

import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.HoldsWire.Version;

/**
 * Clients that read documents of a strongly consistent index by id. A coordinator asks the primary
 * in its cluster state, which may already have a successor.
 */
final class StrongReaders {

  private static final int PER_WRITE = 3;

  /** Longer than the primary waits for copies. */
  private static final long TIMEOUT_MICROS = 1_200_000;

  private final World world;

  StrongReaders(World world) {
    this.world = world;
  }

  /** Plans reads from {@code fromMicros} on. */
  void plan(long fromMicros, long withinMicros) {
    for (int i = 0; i < PER_WRITE * world.shape().writes(); i++) {
      world
          .queue()
          .at(fromMicros + (long) (world.random().nextDouble() * withinMicros), this::read);
    }
  }

  private void read() {
    read("d" + world.random().nextInt(world.shape().documents()));
  }

  void read(String id) {
    SimCoordinator coordinator =
        world.coordinators().get(world.random().nextInt(world.coordinators().size()));
    ShardId shard = world.leaderShard();
    ShardRouting routing = coordinator.state().shard(shard).orElse(null);
    String nodeId = routing == null ? null : routing.primary().nodeId();
    if (nodeId == null || !coordinator.process().isUp()) {
      return;
    }
    SimNode rogue = world.faults().rogue();
    SimNode node = rogue != null && world.random().nextInt(3) == 0 ? rogue : world.node(nodeId);
    long begunMicros = world.queue().nowMicros();
    world
        .network()
        .<Version>call(
            coordinator.process(),
            node.process(),
            reply -> node.primary(shard).ifPresent(primary -> primary.get(id, reply)),
            version -> world.observe(new Observation.StrongRead(shard, begunMicros, version)),
            () -> {},
            TIMEOUT_MICROS);
  }
}
