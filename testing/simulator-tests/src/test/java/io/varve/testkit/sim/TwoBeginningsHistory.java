package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A history in which two primaries of a follower's shard begin: the first one is suspended, another
 * one is assigned and copies the leader's segments, and the first one continues in the middle of
 * that, without knowing of the other one. It begins the shard's log, because the fence of the other
 * one is not in it yet. The other one finds a log that contradicts its copy.
 *
 * <pre>
 *   the first one copied segments    it truncates the log
 *   it replays the leader's log      it takes operations of a puller that was replaced; the leader
 *                                    has truncated its log meanwhile
 * </pre>
 */
final class TwoBeginningsHistory {

  private static final long SECOND = 1_000_000;
  private static final String BEGINS = "begins with";
  private static final int LATE_OPERATIONS = 3;

  final InterruptedHistory history;
  final World world;
  private boolean late;

  TwoBeginningsHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    this.history =
        new InterruptedHistory(
            seed,
            drawn -> drawn.followedAs(2, IndexMetadata.DOCUMENT, true),
            mutations,
            invariants);
    this.world = history.world;
  }

  /** The number of primaries that began. */
  long beginnings() {
    return world.notes().stream().filter(note -> note.contains(BEGINS)).count();
  }

  /** Whether a puller that was replaced has sent operations to the first primary. */
  boolean deliversLate() {
    return late;
  }

  private Optional<SimNode> primaryNode() {
    return world
        .newestState()
        .shard(World.FOLLOWER)
        .map(ShardRouting::primary)
        .map(CopyRouting::nodeId)
        .map(world::node);
  }

  void run() {
    awaitBeginnings(1);
    Optional<SimNode> first = primaryNode();
    if (!history.follows() && first.isPresent()) {
      twoBegin(first.get());
    }
    history.pass(SECOND);
    history.comeTogether();
  }

  private void twoBegin(SimNode first) {
    boolean replays = history.says("begins with the leader's log");
    world.network().cut(first.nodeId(), Network.CLUSTER_TOPICS);
    first.process().suspend();
    if (replays) {
      history.chaos.forgetTheFollower();
    }
    awaitBeginnings(2);
    first.process().resume();
    for (int i = 0; i < 100 && replays && !late; i++) {
      history.pass(SECOND / 1_000);
      first.primary(World.FOLLOWER).ifPresent(this::deliverLate);
    }
    history.pass(SECOND);
    world.network().heal(first.nodeId(), Network.CLUSTER_TOPICS);
  }

  private void awaitBeginnings(int number) {
    for (int i = 0; i < 6_000 && beginnings() < number; i++) {
      history.pass(SECOND / 1_000);
    }
  }

  /** A request of the puller that was assigned when the primary was. */
  private void deliverLate(PrimaryActor primary) {
    Optional<FollowRelation> follow =
        primary.node.state().index(World.FOLLOWER.indexUuid()).map(IndexMetadata::follow);
    List<AcceptedLog.Accepted> leaders = world.logs().acceptedLog(World.LEADER).accepted();
    if (primary.followed().cursor().isPresent()
        && follow.isPresent()
        && leaders.size() >= LATE_OPERATIONS) {
      late = true;
      primary
          .followed()
          .replicate(
              follow.get().assignment(),
              leaders.subList(0, LATE_OPERATIONS).stream()
                  .map(TwoBeginningsHistory::pulled)
                  .toList(),
              _ -> world.note("a late request of a puller is answered"));
    }
  }

  private static Operation pulled(AcceptedLog.Accepted leaders) {
    Operation theirs = leaders.operation();
    return new Operation(
        theirs.term(),
        theirs.seqNo(),
        theirs.version(),
        theirs.mappingVersion(),
        theirs.id(),
        theirs.routing(),
        theirs.source(),
        new Operation.Origin(leaders.offset(), theirs.term(), leaders.digest()));
  }
}
