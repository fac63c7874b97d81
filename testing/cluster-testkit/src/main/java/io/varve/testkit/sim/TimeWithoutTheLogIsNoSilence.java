package io.varve.testkit.sim;

import io.varve.cluster.Topics;

/**
 * A leader removes no member for silence while the log fails over: after an outage of the partition
 * of its heartbeats, each member has its full timeout.
 */
final class TimeWithoutTheLogIsNoSilence implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.JudgedSilent(String judge, String nodeId)) {
      SimulatedPartition heartbeats =
          world
              .logs()
              .partition(
                  SimHeartbeats.TOPICS.nodes(),
                  Topics.partitionOf(nodeId, Topics.NODES_PARTITIONS));
      long heardMicros = world.queue().nowMicros() - heartbeats.longOutageUntilMicros();
      require(
          heardMicros >= SimCoordinator.NODE_TIMEOUT_MICROS,
          "%s removes %s as silent %d ms after the partition of its heartbeats was unavailable",
          judge,
          nodeId,
          heardMicros / 1_000);
    }
  }
}
