package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;

/**
 * The state that a world reaches: without further faults all writes are answered, every copy is
 * started and shows all of its log, and each follower has all operations of its leader.
 */
final class Convergence {

  private final World world;

  Convergence(World world) {
    this.world = world;
  }

  boolean reached() {
    SimCoordinator leader = world.leader();
    if (leader == null || world.clients().pending() > 0) {
      return false;
    }
    for (ShardId shard : world.shards()) {
      if (!reached(leader.state(), shard)) {
        return false;
      }
    }
    return !world.shape().follower() || hasFollowed();
  }

  /** The follower has every operation of its leader, or reports that it can't get them. */
  private boolean hasFollowed() {
    List<AcceptedLog.Accepted> ours =
        world.logs().acceptedLog(world.indices().followerShard()).accepted();
    List<AcceptedLog.Accepted> theirs =
        world.historiesFollowedBy(World.FOLLOWER).getLast().accepted();
    boolean isPrefix = ours.size() <= theirs.size();
    for (int i = 0; isPrefix && i < ours.size(); i++) {
      isPrefix = theirs.get(i).isOriginOf(ours.get(i).operation());
    }
    return isPrefix
        ? ours.size() == theirs.size()
        : world.shape().followsARemote() && world.pullers().anyMatch(SimNode::hasLostItsLeader);
  }

  private boolean reached(ClusterState state, ShardId shard) {
    ShardRouting routing = state.shard(shard).orElse(null);
    return routing != null
        && routing.relocations().isEmpty()
        && routing.copies().stream().allMatch(CopyRouting::started)
        && world.routedCopies(shard).size() == routing.copies().size()
        && world.routedCopies(shard).stream()
            .allMatch(copy -> copy.visibleSeqNo() == world.logs().acceptedLog(shard).lastSeqNo());
  }

  /** Describes what has not converged. */
  String lagging() {
    StringBuilder text = new StringBuilder("after healing");
    SimCoordinator leader = world.leader();
    if (leader == null) {
      return text.append(" nobody leads").toString();
    }
    for (ShardId shard : world.shards()) {
      text.append("; ")
          .append(shard)
          .append(" ends at ")
          .append(world.logs().acceptedLog(shard).lastSeqNo());
      leader.state().shard(shard).ifPresent(routing -> text.append(" ").append(routing));
      world
          .routedCopies(shard)
          .forEach(
              copy -> text.append(", ").append(copy).append(" at ").append(copy.visibleSeqNo()));
    }
    if (world.shape().follower()) {
      text.append("; the follower has ")
          .append(world.logs().acceptedLog(world.indices().followerShard()).accepted().size())
          .append(" of ")
          .append(world.historiesFollowedBy(World.FOLLOWER).getLast().accepted().size())
          .append(" operations: ");
      world.pullers().forEach(node -> text.append(" ").append(node.pulling()));
    }
    return text + "; pending writes: " + world.clients().pending();
  }
}
