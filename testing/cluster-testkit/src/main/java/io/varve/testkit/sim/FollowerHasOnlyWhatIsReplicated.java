package io.varve.testkit.sim;

import io.varve.events.Manifest;

/**
 * A following index has only operations for which a primary of its strongly consistent leader has
 * published that all copies hold them.
 */
final class FollowerHasOnlyWhatIsReplicated implements Invariant {

  private long replicatedUpTo = -1;

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.CalledReplicatedUpTo(var primary, long seqNo) -> {
        if (primary.shard().equals(world.followed())) {
          replicatedUpTo = Math.max(replicatedUpTo, seqNo);
        }
      }
      case Observation.Landed(var shard, long offset) -> {
        AcceptedLog.Accepted accepted =
            World.isFollower(shard) && world.indices().isFollowedStrongly(world.leaderOf(shard))
                ? world.logs().acceptedLog(shard).acceptedAt(offset)
                : null;
        require(
            accepted == null || accepted.operation().seqNo() <= replicatedUpTo,
            "the follower has %s, its leader's copies are known to hold up to %d",
            accepted,
            replicatedUpTo);
      }
      case Observation.Planned(var primary, var plan) -> {
        boolean strong = world.indices().isFollowedStrongly(world.leaderOf(primary.shard()));
        Manifest copied = strong ? plan.manifest() : null;
        require(
            copied == null || copied.nextSeqNo() - 1 <= replicatedUpTo,
            "%s copies %s, its leader's copies are known to hold up to %d",
            primary,
            copied,
            replicatedUpTo);
      }
      default -> {}
    }
  }
}
