package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Operation n of the follower is operation n of its leader and names it as its origin, unless it is
 * part of the content before the follower's log. If the leader was restored, all operations of the
 * follower are of one of its histories.
 */
final class FollowerIsAPrefixOfItsLeader implements Invariant {

  /**
   * For each follower and history, the number of the follower's operations that were equal to that
   * history.
   */
  private final Map<ShardId, Map<AcceptedLog, Integer>> sameByFollower = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Landed landed) || !World.isFollower(landed.shard())) {
      return;
    }
    AcceptedLog followers = world.logs().acceptedLog(landed.shard());
    Map<AcceptedLog, Integer> same =
        sameByFollower.computeIfAbsent(landed.shard(), _ -> new IdentityHashMap<>());
    AcceptedLog.Accepted ours = followers.acceptedAt(landed.offset());
    if (ours == null) {
      return;
    }
    Operation mine = ours.operation();
    if (mine.origin() == null && isPromoted(landed.shard(), world)) {
      return;
    }
    List<AcceptedLog> histories = world.historiesFollowedBy(landed.shard());
    require(
        histories.stream().anyMatch(history -> isPrefix(followers, history, same)),
        "seq_no %d is %s, the leader has %s",
        mine.seqNo(),
        mine,
        histories.getLast().at(mine.seqNo()));
  }

  /** Whether the shard's index is no longer a follower, and has its own operations. */
  private static boolean isPromoted(ShardId shard, World world) {
    return world
        .newestState()
        .index(shard.indexUuid())
        .filter(index -> index.follow() == null)
        .isPresent();
  }

  private static boolean isPrefix(
      AcceptedLog followers, AcceptedLog history, Map<AcceptedLog, Integer> same) {
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
    AcceptedLog.Accepted mine = followers.accepted().get(seqNo);
    return theirs != null
        && (mine.isBeforeTheLog()
            ? theirs.isSameAs(mine.operation())
            : theirs.isOriginOf(mine.operation()));
  }
}
