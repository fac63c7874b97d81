package io.varve.testkit.sim;

import io.varve.events.Operation;
import java.util.Arrays;

/** Operation n of the follower is operation n of its leader and names it as its origin. */
final class FollowerIsAPrefixOfItsLeader implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Landed landed)
        || !landed.shard().equals(World.FOLLOWER)) {
      return;
    }
    AcceptedLog.Accepted ours =
        world.logs().acceptedLog(World.FOLLOWER).acceptedAt(landed.offset());
    if (ours == null) {
      return;
    }
    Operation mine = ours.operation();
    AcceptedLog.Accepted theirs = world.logs().acceptedLog(World.LEADER).at(mine.seqNo());
    require(theirs != null, "seq_no %d is not in the leader", mine.seqNo());
    Operation origin = theirs.operation();
    require(
        mine.id().equals(origin.id())
            && mine.version() == origin.version()
            && Arrays.equals(mine.source(), origin.source())
            && new Operation.Origin(theirs.offset(), origin.term()).equals(mine.origin()),
        "seq_no %d is %s, the leader has %s",
        mine.seqNo(),
        mine,
        theirs);
  }
}
