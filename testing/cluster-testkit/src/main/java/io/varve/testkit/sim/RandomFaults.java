package io.varve.testkit.sim;

import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import org.jspecify.annotations.Nullable;

/** Faults that strike single calls by chance, until the world is healed. */
final class RandomFaults {

  private final World world;
  private SimulatedLog.Faults appendFaults = SimulatedLog.Faults.NONE;
  private boolean healed;
  private @Nullable SimNode rogue;

  RandomFaults(World world) {
    this.world = world;
  }

  /** From now on no call fails by chance. */
  void heal() {
    healed = true;
  }

  /** Sometimes assigns a term to a second node. */
  void maybeAssignTwice(SimNode rightful, ShardId shard, long term) {
    if (healed || world.random().nextDouble() >= world.shape().doubleTerms()) {
      return;
    }
    for (SimNode other : world.nodes()) {
      if (other != rightful && other.roles().contains(NodeInfo.PRIMARY)) {
        rogue = other;
        other.process().receive(world.random().nextInt(4_000), () -> other.openRogue(shard, term));
        world.note("term " + term + " of " + shard + " is also assigned to " + other.nodeId());
        return;
      }
    }
  }

  /** A node that believes to own another node's term; clients may ask it too. */
  @Nullable SimNode rogue() {
    return healed ? null : rogue;
  }

  /** Whether a put, get or list of the segment store fails now. */
  boolean storeFails() {
    return !healed
        && (!world.store().available()
            || world.random().nextDouble() < world.shape().badTransfers());
  }

  boolean answerIsTruncated() {
    return !healed && world.random().nextDouble() < world.shape().badTransfers();
  }

  boolean deliversTwice() {
    return !healed && world.random().nextDouble() < world.shape().doubleDeliveries();
  }

  void appendFaults(SimulatedLog.Faults faults) {
    appendFaults = faults;
  }

  /** Heartbeats are spared: each delayed append would make its process a silent one. */
  SimulatedLog.Faults appendFaults(String topic) {
    return healed || topic.equals(SimHeartbeats.TOPICS.nodes())
        ? SimulatedLog.Faults.NONE
        : appendFaults;
  }
}
