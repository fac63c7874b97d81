package io.varve.testkit.sim;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterState;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;

/**
 * Searches without a token, on any copy that some coordinator considers started. A search must show
 * a write that was reported to a client as visible everywhere if the coordinator of the search
 * knows at least the cluster state of the coordinator that answered the client: a coordinator does
 * not wait for copies that were removed.
 */
final class SimSearches {

  private record Told(ShardId shard, long seqNo, long version) {}

  private final World world;
  private final List<Told> told = new ArrayList<>();

  SimSearches(World world) {
    this.world = world;
  }

  /** Plans searches of a history. */
  void plan(int searches, long fromMicros, long withinMicros) {
    for (int i = 0; i < searches; i++) {
      long at = fromMicros + (long) (world.random().nextDouble() * withinMicros);
      world.queue().at(at, this::search);
    }
  }

  /** A coordinator with this state reported to a client that its write is visible everywhere. */
  void reportedVisible(Write write, ClusterState state) {
    told.add(new Told(write.shard(), write.seqNo, state.version()));
  }

  private long told(ShardId shard, long version) {
    return told.stream()
        .filter(t -> t.shard().equals(shard) && t.version() <= version)
        .mapToLong(Told::seqNo)
        .max()
        .orElse(-1);
  }

  private void search() {
    List<SimCoordinator> all = world.coordinators();
    SimCoordinator coordinator = all.get(world.random().nextInt(all.size()));
    ClusterState state = coordinator.state();
    ShardId shard = world.leaderShard();
    List<CopyAddress> copies =
        state.shard(shard).map(routing -> CopyAddress.writing(state, routing)).orElse(List.of());
    if (!coordinator.process().isUp() || copies.isEmpty()) {
      return;
    }
    CopyAddress copy = copies.get(world.random().nextInt(copies.size()));
    String copyId = copy.copy().copyId();
    long reportedSeqNo = told(shard, state.version());
    SimNode node = world.node(copy.node().nodeId());
    world
        .network()
        .send(
            coordinator.process(),
            node.process(),
            () -> {
              SimCopy there = node.copy(copyId);
              if (there != null && there.saysStarted() && there.answersReads()) {
                world.observe(new Observation.Searched(there, reportedSeqNo));
              }
            });
  }
}
