package io.varve.testkit.sim;

import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import org.jspecify.annotations.Nullable;

/** Faults of single calls, drawn at random until the world is healed. */
final class RandomFaults {

  private final World world;
  private SimulatedLog.Faults appendFaults = SimulatedLog.Faults.NONE;
  private boolean healed;
  private long stepsToAKill = Long.MAX_VALUE;
  private int pullersKilled;
  private @Nullable SimNode rogue;

  RandomFaults(World world) {
    this.world = world;
  }

  /** From now on no call fails at random. */
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

  /** A node that acts as the owner of another node's term; clients may also send requests to it. */
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

  /** Kills a puller before the step of that number from now on. */
  void killAPullerAfter(int steps) {
    stepsToAKill = steps;
  }

  /** Called before each step of a puller: whether its process is killed there. */
  boolean killsThePuller() {
    boolean kills = stepsToAKill != Long.MAX_VALUE && stepsToAKill-- == 0;
    if (kills) {
      pullersKilled++;
    }
    return kills;
  }

  int pullersKilled() {
    return pullersKilled;
  }

  boolean deliversTwice() {
    return !healed && world.random().nextDouble() < world.shape().doubleDeliveries();
  }

  void appendFaults(SimulatedLog.Faults faults) {
    appendFaults = faults;
  }

  /** Heartbeats are excluded, because a delayed append would make its process silent. */
  SimulatedLog.Faults appendFaults(String topic) {
    return healed || topic.equals(SimHeartbeats.TOPICS.nodes())
        ? SimulatedLog.Faults.NONE
        : appendFaults;
  }
}
