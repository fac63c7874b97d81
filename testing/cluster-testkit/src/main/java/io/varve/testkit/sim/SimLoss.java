package io.varve.testkit.sim;

import io.varve.ccr.LossConfirmation;
import io.varve.ccr.PullProgress;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;

/**
 * Reports that a follower lost its leader's history to the leading coordinator, once production's
 * {@link LossConfirmation} confirms it, as production's {@code ShardPuller} does after each
 * attempt. A {@link RemoteLeader} has no segments that could be copied, so its followers are not
 * replaced.
 */
final class SimLoss {

  private final World world;
  private final SimNode node;
  private final ShardId follower;
  private final ShardId leader;
  private final LossConfirmation confirmation = new LossConfirmation();

  SimLoss(World world, SimNode node, ShardId leader, ShardId follower) {
    this.world = world;
    this.node = node;
    this.leader = leader;
    this.follower = follower;
  }

  /** An attempt to pull has ended. */
  void attempted(PullProgress progress) {
    long nowMillis = world.queue().nowMillis() * SimLease.SPEED;
    if (confirmation.add(progress.lossReason().isPresent(), nowMillis)
        && !world.shape().followsARemote()) {
      node.state().index(leader.indexUuid()).ifPresent(this::report);
    }
  }

  private void report(IndexMetadata leaders) {
    report(
        world,
        node,
        new ClusterCalls.LostHistory(
            follower.indexUuid(),
            leaders.uuid(),
            leaders.settings(),
            leaders.mapping(),
            "the history is lost"));
  }

  /** A node reports to the coordinators that a follower must be replaced. */
  static void report(World world, SimNode node, ClusterCalls.LostHistory news) {
    ClusterCommand.ReplaceFollower command = new ClusterCommand.ReplaceFollower(news);
    String uuid = world.indices().newFollowerUuid();
    world
        .coordinators()
        .forEach(coordinator ->
            world
                .network()
                .send(
                    node.process(),
                    coordinator.process(),
                    () -> coordinator.execute(command, uuid)));
  }
}
