package io.varve.control.allocation;

import static io.varve.cluster.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reconciler.Situation;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which copy the reconciler makes the primary when a primary is lost, and where the other copies
 * go.
 */
class PrimaryPromotionTest extends ReconcilerWorld {
  @Test
  void aLostPrimaryGetsANewTermElsewhere() {
    ClusterState state =
        startAll(
            settle(
                create(
                    Clusters.with(node("p1", "primary"), node("p2", "primary")),
                    Clusters.index("books", 1, 0)),
                CALM));
    state = state.apply(new ClusterEvent.NodeLeft("p1", "silent"));
    ClusterState later = settle(state, new Situation(Map.of("p1", 0L), Set.of(), 60_000));
    ShardRouting shard = later.indices().get("books").shard(0);
    assertThat(shard.primary().nodeId()).isEqualTo("p2");
    assertThat(shard.primaryTerm()).isEqualTo(2);
  }

  private ClusterState everybodyLeft(String retention, int replicas) {
    ClusterState state =
        startAll(
            settle(
                create(
                    Clusters.with(
                        node("p1", "primary"), node("p2", "primary"), node("r1", "replica")),
                    Clusters.index("books", 1, replicas)),
                CALM));
    return state
        .apply(
            new ClusterEvent.IndexSettingsChanged(
                "books-uuid", 2, Map.of("index.log.retention", retention)))
        .apply(new ClusterEvent.NodeLeft("p1", "silent"))
        .apply(new ClusterEvent.NodeLeft("r1", "silent"));
  }

  private static final Situation LONG_AGO =
      new Situation(Map.of("p1", 0L, "r1", 0L), Set.of(), 600_000);

  /** Their folders may be the only ones with operations that the log no longer has. */
  @Test
  void copiesOfATruncatedLogStayAssignedWhileNoneIsActive() {
    ClusterState state = everybodyLeft("auto", 1);
    assertThat(reconciler.reconcile(state, LONG_AGO)).isEmpty();

    ClusterState back =
        settle(state.apply(new ClusterEvent.NodeJoined(node("r1", "replica"))), LONG_AGO);
    ShardRouting waiting = back.indices().get("books").shard(0);
    assertThat(waiting.primary().nodeId()).isEqualTo("p1");
    assertThat(waiting.replicas()).extracting(CopyRouting::nodeId).containsExactly("r1");

    ShardRouting served = settle(startAll(back), LONG_AGO).indices().get("books").shard(0);
    assertThat(served.primary().nodeId()).as("the replica has started").isEqualTo("r1");
  }

  private ClusterState everybodyLeft(FollowRelation follow) {
    return everybodyLeft("auto", 1).apply(new ClusterEvent.FollowChanged("books-uuid", follow));
  }

  /** Its leader has what the folders have; the copy would be wasted if a node returned soon. */
  @Test
  void aFollowersCopiesAreAwaitedForTheGraceOfItsLog() {
    FollowRelation follow = new FollowRelation("east", "books", "leader", null, 1);
    Map<String, Long> absent = Map.of("p1", 0L, "r1", 0L);
    ClusterState left = everybodyLeft(follow);

    assertThat(reconciler.reconcile(left, new Situation(absent, Set.of(), 1_799_999))).isEmpty();
    ShardRouting shard =
        settle(left, new Situation(absent, Set.of(), 1_800_000)).indices().get("books").shard(0);

    assertThat(shard.primary().nodeId()).isEqualTo("p2");
    assertThat(shard.replicas()).extracting(CopyRouting::nodeId).doesNotContain("r1");
    assertThat(
            reconciler.reconcile(
                everybodyLeft(follow.asPaused()), new Situation(absent, Set.of(), 9_000_000)))
        .as("a paused follower is not copied again")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"forever, 1", "auto, 0"})
  void aCopyWithACompleteLogIsRebuiltOnAnotherNode(String retention, int replicas) {
    ClusterState later = settle(everybodyLeft(retention, replicas), LONG_AGO);
    assertThat(later.indices().get("books").shard(0).primary().nodeId()).isEqualTo("p2");
  }

  /** Two copies, each on a node of its own, and no primary started; then both nodes leave. */
  private ClusterState leftBeforeTheStart(ClusterState nodes, IndexMetadata index) {
    return settle(create(nodes, index), CALM)
        .apply(new ClusterEvent.NodeLeft("p1", "silent"))
        .apply(new ClusterEvent.NodeLeft("r1", "silent"));
  }

  private static IndexMetadata truncated(String name) {
    return Clusters.index(name, 1, 1).withSettings(Map.of("index.log.retention", "auto"), 2);
  }

  private static ClusterState nodes() {
    return Clusters.with(node("p1", "primary"), node("r1", "replica"));
  }

  @Test
  void aShardThatNeverStartedIsAssignedElsewhereBecauseItsLogIsComplete() {
    ClusterState left =
        leftBeforeTheStart(nodes(), truncated("books").withShards(ShardRouting::asNeverStarted))
            .apply(new ClusterEvent.NodeJoined(node("p2", "primary")));

    ShardRouting shard = settle(left, LONG_AGO).indices().get("books").shard(0);

    assertThat(shard.primary().nodeId()).isEqualTo("p2");
    assertThat(shard.primaryTerm()).isEqualTo(2);
  }

  /** It may have acknowledged writes that its log no longer has. */
  @Test
  void aShardThatMayHaveStartedBeforeWaitsForItsFolders() {
    ClusterState unknown =
        leftBeforeTheStart(nodes(), truncated("books"))
            .apply(new ClusterEvent.NodeJoined(node("p2", "primary")));
    assertThat(reconciler.reconcile(unknown, LONG_AGO)).isEmpty();

    ClusterState started =
        startAll(
            settle(
                create(nodes(), truncated("books").withShards(ShardRouting::asNeverStarted)),
                CALM));
    NodeInfo again = new NodeInfo("p1", "p1", "p1-2", Set.of("primary"), "http://p1", Map.of());
    ClusterState restarted =
        started
            .apply(new ClusterEvent.NodeLeft("r1", "silent"))
            .apply(new ClusterEvent.NodeJoined(again))
            .apply(new ClusterEvent.NodeLeft("p1", "silent"))
            .apply(new ClusterEvent.NodeJoined(node("p2", "primary")));
    assertThat(restarted.indices().get("books").shard(0).primary().state())
        .isEqualTo(State.INITIALIZING);
    assertThat(reconciler.reconcile(restarted, LONG_AGO)).isEmpty();
  }

  private ClusterState replicated() {
    return startAll(
        settle(
            create(
                Clusters.with(node("p", "primary"), node("r1", "replica"), node("r2", "replica")),
                Clusters.index("a", 1, 2)),
            CALM));
  }

  @Test
  void aReplicaIsPromotedAtOnceWhenTheNodeOfItsPrimaryLeft() {
    ClusterState lost = replicated().apply(new ClusterEvent.NodeLeft("p", "silent"));
    ShardRouting shard =
        settle(lost, new Situation(Map.of("p", 0L), Set.of(), 1)).indices().get("a").shard(0);
    assertThat(shard.primary().nodeId()).isIn("r1", "r2");
    assertThat(shard.primary().state()).isEqualTo(State.INITIALIZING);
    assertThat(shard.primaryTerm()).isEqualTo(2);
    assertThat(shard.replicas())
        .as("the former primary waits where it was")
        .anyMatch(copy -> copy.isOn("p") && copy.state() == State.INITIALIZING);
  }

  @Test
  void theFormerPrimaryComesBackAsAReplica() {
    ClusterState state =
        settle(
            replicated().apply(new ClusterEvent.NodeLeft("p", "silent")),
            new Situation(Map.of("p", 0L), Set.of(), 1));
    ClusterState back =
        startAll(settle(state.apply(new ClusterEvent.NodeJoined(node("p", "primary"))), CALM));
    assertThat(back.indices().get("a").shard(0).replicas())
        .anyMatch(copy -> copy.isOn("p") && copy.started());
  }

  @Test
  void anInactiveReplicaIsNotPromoted() {
    ClusterState young =
        settle(
            create(
                Clusters.with(node("p", "primary"), node("r", "replica")),
                Clusters.index("a", 1, 1)),
            CALM);
    ClusterState lost = young.apply(new ClusterEvent.NodeLeft("p", "silent"));
    ShardRouting shard =
        settle(lost, new Situation(Map.of("p", 0L), Set.of(), 1)).indices().get("a").shard(0);
    assertThat(shard.primary().nodeId()).isEqualTo("p");
    assertThat(shard.primaryTerm()).isEqualTo(1);
  }

  @Test
  void aFailedPrimaryHandsOverToAReplica() {
    ClusterState state = replicated();
    ShardRouting before = state.indices().get("a").shard(0);
    ClusterState failed =
        state.apply(
            new ClusterEvent.CopyUnassigned(
                before.shard(), before.primary().copyId(), "ALLOCATION_FAILED: disk"));
    ShardRouting shard = settle(failed, CALM).indices().get("a").shard(0);
    assertThat(shard.primary().nodeId()).isIn("r1", "r2");
    assertThat(shard.copies()).hasSize(3);
  }
}
