package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SHARD;
import static io.varve.replication.replica.ReplicaWorld.SOON;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.cluster.Replacement;
import io.varve.rpc.BootstrapWire;
import io.varve.shard.primary.PrimaryCopy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which plans a follower's primary accepts, and what it does without files. */
@Timeout(300)
class LeaderBootstrapPlanTest extends LeaderBootstrapWorld {
  @Test
  void aSuccessorOfAnotherFollowerMustCopyEvenWhatIsEmpty() throws Exception {
    world.refresh();
    world.happen(
        new ClusterEvent.FollowChanged(
            FOLLOWER.indexUuid(),
            Replacement.begin(
                "former",
                new FollowRelation("east", "books", "old", "f", ASSIGNMENT),
                SHARD.indexUuid())));
    takeTheLeadersMapping();
    PrimaryCopy follower = follower("n3");
    Awaitility.await()
        .atMost(SOON)
        .until(() ->
            world
                .context("n3", "p")
                .node()
                .cluster()
                .current()
                .index(FOLLOWER.indexUuid())
                .flatMap(index -> index.follow().replaces())
                .isPresent());
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    assertThat(follower.bootstrap().mustCopy()).isTrue();

    var _ = follower.bootstrap(ASSIGNMENT, plan(world.newestManifest()));

    started.get(60, TimeUnit.SECONDS);
    assertThat(follower.cursor().nextSeqNo()).isZero();
    assertThat(follower.cursor().lastOriginOffset()).isNotNegative();
    var _ = follower.replicate(ASSIGNMENT, List.of(pulled(0, "x")), SOON);
    assertThat(follower.refresh(SOON).visibleSeqNo()).isZero();
  }

  @Test
  void aPullerThatWasReplacedPlansNothing() throws Exception {
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);

    assertThatThrownBy(() -> follower.bootstrap(ASSIGNMENT - 1, BootstrapWire.Plan.REPLAY))
        .hasMessageContaining("stale_assignment_exception");

    assertThat(follower.bootstrap().state()).isEqualTo(BootstrapWire.State.AWAITED);
    var _ = follower.bootstrap(ASSIGNMENT, BootstrapWire.Plan.REPLAY);
    started.get(60, TimeUnit.SECONDS);
  }

  @Test
  void replayNeedsNoFiles() throws Exception {
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);

    var _ = follower.bootstrap(ASSIGNMENT, BootstrapWire.Plan.REPLAY);

    started.get(60, TimeUnit.SECONDS);
    assertThat(follower.cursor().nextSeqNo()).isZero();
    var _ = follower.replicate(ASSIGNMENT, List.of(pulled(0, "x")), SOON);
  }

  @Test
  void aShardThatHadNothingWhenItsIndexWasPromotedDoesNotStart() throws Exception {
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);

    FollowRelation follow = new FollowRelation("east", "books", "u", null, 4);
    world.happen(new ClusterEvent.FollowChanged(FOLLOWER.indexUuid(), null, Fork.of(follow)));

    assertThatThrownBy(() -> started.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("had nothing of its leader when its index was promoted");
    PrimaryCopy again = follower("n3");
    assertThatThrownBy(again::start).hasMessageContaining("when its index was promoted");
  }

  @Test
  void anIndexThatFollowsNoMoreBeginsEmpty() throws Exception {
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);

    world.happen(new ClusterEvent.FollowChanged(FOLLOWER.indexUuid(), null));

    started.get(60, TimeUnit.SECONDS);
    assertThat(hits(follower)).isZero();
  }
}
