package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.rpc.ForkPlace;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A follower is promoted while clients write to its leader, its puller sends operations, and
 * processes and links fail. The recorded fork is where the two histories part: the follower has its
 * leader's operations up to there and none later, whatever its pullers still send, and a lease
 * retains its log from there on for a failback.
 */
class PromotedFollowerHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final int HISTORIES = Histories.inThisRun(150);

  private static Optional<IndexMetadata> follower(World world) {
    return world.newestState().index(World.FOLLOWER.indexUuid());
  }

  private static void requestPromotion(World world) {
    SimCoordinator leader = world.leader();
    boolean follows =
        leader != null
            && leader
                .state()
                .index(World.FOLLOWER.indexUuid())
                .map(IndexMetadata::follow)
                .isPresent();
    if (follows) {
      leader.execute(new ClusterCommand.Promote("follower"));
    }
  }

  private static Optional<ForkPlace> fork(World world) {
    return follower(world)
        .map(IndexMetadata::fork)
        .map(fork -> fork.shards().get(World.FOLLOWER.number()));
  }

  @Test
  void theRecordedForkIsWhereTheHistoriesPartAndLatePullersChangeNothing() {
    int leadersWentOn = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed);
      World world = history.world;
      history.await("it follows", history::follows);
      history.pass(1 + world.random().nextInt((int) SECOND));
      history.strike();
      history.await(
          "it is promoted",
          () -> {
            requestPromotion(world);
            return follower(world).filter(index -> index.follow() == null).isPresent();
          });
      history.strike();
      history.pass(SECOND / 2);
      history.chaos.healAll();
      history.await("its fork is recorded", () -> fork(world).isPresent());
      history.pass(SECOND);

      requireForkOfHistories(seed, world, fork(world).orElseThrow());
      requireLease(seed, world, fork(world).orElseThrow());
      leadersWentOn += history.held(World.LEADER) > history.held(World.FOLLOWER) ? 1 : 0;
    }
    assertThat(leadersWentOn).as("leaders that wrote after the fork").isGreaterThan(HISTORIES / 10);
  }

  private static void requireForkOfHistories(long seed, World world, ForkPlace place) {
    AcceptedLog followers = world.logs().acceptedLog(World.FOLLOWER);
    AcceptedLog.Accepted last =
        Objects.requireNonNull(world.logs().acceptedLog(World.LEADER).at(place.seqNo()));

    assertThat(followers.lastSeqNo()).as("seed %d, %s", seed, place).isEqualTo(place.seqNo());
    assertThat(followers.nextSeqNoBefore(place.offset())).isEqualTo(place.seqNo() + 1);
    assertThat(followers.termBefore(place.offset() + 1)).isEqualTo(place.term());
    assertThat(last.offset()).isEqualTo(place.leaderOffset());
    assertThat(last.operation().term()).isEqualTo(place.leaderTerm());
    assertThat(place.leaderDigest()).isIn(last.digest(), null);
  }

  private static void requireLease(long seed, World world, ForkPlace place) {
    assertThat(
            follower(world)
                .map(IndexMetadata::leases)
                .map(leases -> leases.get(Fork.holder(World.LEADER.indexUuid())))
                .map(lease -> lease.retainedFrom(World.FOLLOWER.number())))
        .as("seed %d", seed)
        .contains(place.offset());
    assertThat(world.logs().partition(World.ops(World.FOLLOWER)).startOffset())
        .as("seed %d", seed)
        .isLessThanOrEqualTo(place.offset());
  }

  /**
   * A shard that copied its leader's segments, and is promoted before it has pulled the operations
   * that these hold beyond their manifest, is as one that has copied nothing: no copy of it starts,
   * and no seq_no is given to another operation.
   */
  @Test
  void aShardThatLacksOperationsOfItsSegmentsDoesNotStartWhenItIsPromoted() {
    int refused = 0;
    int started = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed);
      World world = history.world;
      history.await("it begins", () -> history.says("begins with generation") || history.follows());
      world.pullers().forEach(node -> world.network().cut(node.nodeId(), Network.LOG));
      history.await(
          "it is promoted",
          () -> {
            requestPromotion(world);
            return follower(world).filter(index -> index.follow() == null).isPresent();
          });
      history.pass(SECOND / 2);
      history.chaos.healAll();
      history.pass(2 * SECOND);

      boolean lacks = history.says("when its index was promoted");
      assertThat(fork(world).isPresent() && lacks).as("seed %d", seed).isFalse();
      refused += lacks ? 1 : 0;
      started += fork(world).isPresent() ? 1 : 0;
    }
    System.out.println(refused + " shards do not start when they are promoted, " + started + " do");
    assertThat(refused).isPositive();
    assertThat(started).isGreaterThan(HISTORIES / 3);
  }
}
