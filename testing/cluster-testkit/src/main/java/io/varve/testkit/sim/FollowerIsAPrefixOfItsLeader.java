package io.varve.testkit.sim;

import io.varve.events.Operation;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Operation n of the follower is operation n of its leader and names it as its origin. If the
 * leader was restored, all operations of the follower are of one of its histories.
 */
final class FollowerIsAPrefixOfItsLeader implements Invariant {

  /**
   * For each history, the number of the follower's operations that were found to be equal to it.
   */
  private final IdentityHashMap<AcceptedLog, Integer> same = new IdentityHashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Landed landed)
        || !landed.shard().equals(World.FOLLOWER)) {
      return;
    }
    AcceptedLog followers = world.logs().acceptedLog(World.FOLLOWER);
    AcceptedLog.Accepted ours = followers.acceptedAt(landed.offset());
    if (ours == null) {
      return;
    }
    Operation mine = ours.operation();
    List<AcceptedLog> histories = world.followedHistories();
    require(
        histories.stream().anyMatch(history -> isPrefix(followers, history)),
        "seq_no %d is %s, the leader has %s",
        mine.seqNo(),
        mine,
        histories.getLast().at(mine.seqNo()));
  }

  private boolean isPrefix(AcceptedLog followers, AcceptedLog history) {
    int known = same.getOrDefault(history, 0);
    int last = followers.accepted().size();
    while (known < last && isSame(followers, history, known)) {
      known++;
    }
    same.put(history, known);
    return known == last;
  }

  private static boolean isSame(AcceptedLog followers, AcceptedLog history, int seqNo) {
    AcceptedLog.Accepted theirs = history.at(seqNo);
    return theirs != null && theirs.isOriginOf(followers.accepted().get(seqNo).operation());
  }
}
