package io.varve.control.allocation;

import static io.varve.cluster.Clusters.node;
import static io.varve.cluster.NodeInfo.CCR;
import static io.varve.cluster.NodeInfo.PRIMARY;
import static io.varve.cluster.NodeInfo.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reconciler.Place;
import io.varve.control.allocation.Reconciler.Situation;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several copies or nodes the reconciler chooses, and what it does not change. */
class ReconcilerChoicesTest {

  private static final ShardId SHARD = new ShardId("i-uuid", 0);
  private static final Situation CALM = new Situation(Map.of(), Set.of(), 0);

  private final AtomicInteger ids = new AtomicInteger();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());

  private ClusterState reconciled(ClusterState state, Situation situation) {
    return Clusters.apply(state, reconciler.reconcile(state, situation));
  }

  /** A state with one shard whose copies are on the given nodes, the primary first, all started. */
  private static ClusterState started(ClusterState nodes, String... placed) {
    ClusterState state =
        nodes.apply(new ClusterEvent.IndexCreated(Clusters.index("i", 1, placed.length - 1)));
    for (int copy = 0; copy < placed.length; copy++) {
      String id = "i-0-" + copy;
      state =
          state.apply(
              copy == 0
                  ? new ClusterEvent.PrimaryAssigned(SHARD, id, placed[copy], 1)
                  : new ClusterEvent.ReplicaAssigned(SHARD, id, id, placed[copy]));
      state = state.apply(new ClusterEvent.CopyStarted(SHARD, id, 1));
    }
    return state;
  }

  private static ShardRouting shard(ClusterState state) {
    return state.shard(SHARD).orElseThrow();
  }

  private static ClusterState set(ClusterState state, String name, String value) {
    Map<String, String> all = new TreeMap<>(state.indices().get("i").settings());
    all.put(name, value);
    return state.apply(new ClusterEvent.IndexSettingsChanged("i-uuid", 2, all));
  }

  @Test
  void aReplicaOnANodeForPrimariesIsPromotedBeforeOthers() {
    ClusterState state =
        started(
            Clusters.with(node("p", PRIMARY), node("r", REPLICA), node("q", PRIMARY, REPLICA)),
            "p",
            "r",
            "q");

    ClusterState after = reconciled(state.apply(new ClusterEvent.NodeLeft("p", "silent")), CALM);

    assertThat(shard(after).primary().nodeId()).isEqualTo("q");
    assertThat(shard(after).primaryTerm()).isEqualTo(2);
  }

  @Test
  void ofEqualReplicasTheOneWithTheSmallestIdIsPromoted() {
    ClusterState state =
        started(
            Clusters.with(node("p", PRIMARY), node("z", REPLICA), node("a", REPLICA)),
            "p",
            "z",
            "a");

    ClusterState after = reconciled(state.apply(new ClusterEvent.NodeLeft("p", "silent")), CALM);

    assertThat(shard(after).primary().copyId()).isEqualTo("i-0-1");
    assertThat(shard(after).primary().nodeId()).isEqualTo("z");
  }

  @Test
  void aReplicaIsNotPromotedWhereACopyFailedRecently() {
    ClusterState state =
        started(
                Clusters.with(node("p", PRIMARY), node("r", REPLICA), node("s", REPLICA)),
                "p",
                "r",
                "s")
            .apply(new ClusterEvent.NodeLeft("p", "silent"));
    Situation failedOnR = new Situation(Map.of(), Set.of(new Place(SHARD, "r")), 0);

    assertThat(shard(reconciled(state, failedOnR)).primary().nodeId()).isEqualTo("s");
  }

  @ParameterizedTest
  @CsvSource({"true, NODE_LEFT", "false, ALLOCATION_FAILED"})
  void aPromotionHasTheReasonForTheLossOfTheFormerPrimary(boolean left, String reason) {
    ClusterState state = started(Clusters.with(node("p", PRIMARY), node("r", REPLICA)), "p", "r");
    ClusterState lost =
        state.apply(
            left
                ? new ClusterEvent.NodeLeft("p", "silent")
                : new ClusterEvent.CopyUnassigned(SHARD, "i-0-0", "ALLOCATION_FAILED"));

    assertThat(reconciler.reconcile(lost, CALM))
        .contains(new ClusterEvent.ReplicaPromoted(SHARD, "i-0-1", 2, reason));
  }

  @ParameterizedTest
  @CsvSource({"59999, p", "60000, q"})
  void aCopyStaysAssignedUntilTheDelayIsOver(long absentMillis, String place) {
    ClusterState state =
        started(Clusters.with(node("p", PRIMARY), node("q", PRIMARY)), "p")
            .apply(new ClusterEvent.NodeLeft("p", "silent"));
    Situation situation = new Situation(Map.of("p", 1_000L), Set.of(), 1_000 + absentMillis);

    assertThat(shard(reconciled(state, situation)).primary().nodeId()).isEqualTo(place);
  }

  @Test
  void aCopyStaysAssignedUntilTheAbsenceOfItsNodeIsNoticed() {
    ClusterState state =
        started(Clusters.with(node("p", PRIMARY), node("q", PRIMARY)), "p")
            .apply(new ClusterEvent.NodeLeft("p", "silent"));

    assertThat(reconciler.reconcile(state, new Situation(Map.of(), Set.of(), 600_000))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true, q", "false, p"})
  void aTruncatedLogDoesNotDelayTheAllocationOfARemoteBackedIndex(boolean stored, String place) {
    ClusterState state =
        set(
            set(
                started(
                    Clusters.with(node("p", PRIMARY), node("q", PRIMARY), node("r", REPLICA)),
                    "p",
                    "r"),
                "index.log.retention",
                "auto"),
            "index.remote_store.enabled",
            Boolean.toString(stored));
    ClusterState left =
        state
            .apply(new ClusterEvent.NodeLeft("p", "silent"))
            .apply(new ClusterEvent.NodeLeft("r", "silent"));
    Situation longAgo = new Situation(Map.of("p", 0L, "r", 0L), Set.of(), 600_000);

    assertThat(shard(reconciled(left, longAgo)).primary().nodeId()).isEqualTo(place);
  }

  @Test
  void theCopiesOfAClosedIndexAreNotRelocated() {
    ClusterState closed =
        started(Clusters.with(node("p", PRIMARY), node("r", REPLICA)), "p", "r")
            .apply(new ClusterEvent.IndexClosed("i-uuid"))
            .apply(new ClusterEvent.NodeLeft("p", "silent"));

    assertThat(
            reconciler.reconcile(closed, new Situation(Map.of("p", 0L), Set.of(), Long.MAX_VALUE)))
        .isEmpty();
  }

  private static ClusterState follow(ClusterState state, String name) {
    return state.apply(
        new ClusterEvent.IndexCreated(
            Clusters.index(name, 1, 0)
                .withFollow(new FollowRelation("europe", "books", "uuid", null, 0))));
  }

  @Test
  void followersAreSpreadOverTheNodesThatPull() {
    ClusterState state = Clusters.with(node("x1", CCR), node("x2", CCR), node("p", PRIMARY));
    for (String name : List.of("a", "b", "c", "d")) {
      state = reconciled(follow(state, name), CALM);
    }

    Map<String, Integer> pulled = new HashMap<>();
    state
        .indices()
        .values()
        .forEach(index -> pulled.merge(index.follow().nodeId(), 1, Integer::sum));
    assertThat(pulled).containsOnly(Map.entry("x1", 2), Map.entry("x2", 2));
  }

  @Test
  void aFollowerStaysWithItsNodeUntilThatPullsNoMore() {
    ClusterState state =
        reconciled(follow(Clusters.with(node("x1", CCR), node("p", PRIMARY)), "a"), CALM);
    ClusterState another = state.apply(new ClusterEvent.NodeJoined(node("x0", CCR)));
    assertThat(reconciled(another, CALM).indices().get("a").follow().nodeId()).isEqualTo("x1");

    ClusterState otherRole = another.apply(new ClusterEvent.NodeJoined(node("x1", PRIMARY)));
    assertThat(reconciled(otherRole, CALM).indices().get("a").follow().nodeId()).isEqualTo("x0");
  }

  @Test
  void aClosedIndexIsNotPulled() {
    ClusterState closed =
        follow(Clusters.with(node("x1", CCR)), "a").apply(new ClusterEvent.IndexClosed("a-uuid"));

    assertThat(reconciler.reconcile(closed, CALM)).isEmpty();
  }

  @Test
  void ofSuperfluousReplicasActiveOnesAreRemovedLast() {
    ClusterState state =
        started(
            Clusters.with(node("p", PRIMARY), node("r", REPLICA), node("s", REPLICA)),
            "p",
            "r",
            "s");
    ClusterState first =
        set(
            state.apply(new ClusterEvent.CopyUnassigned(SHARD, "i-0-1", "ALLOCATION_FAILED")),
            "index.number_of_replicas",
            "1");

    assertThat(shard(reconciled(first, CALM)).replicas())
        .singleElement()
        .returns("i-0-2", CopyRouting::copyId)
        .returns(State.STARTED, CopyRouting::state);
  }

  @Test
  void theNextRebalancingCanBeComputedWithoutExecutingIt() {
    ClusterState state = Clusters.with(node("p", PRIMARY));
    state = state.apply(new ClusterEvent.IndexCreated(Clusters.index("i", 4, 0)));
    for (ShardRouting shard : state.indices().get("i").shards()) {
      String copy = shard.primary().copyId();
      state =
          state
              .apply(new ClusterEvent.PrimaryAssigned(shard.shard(), copy, "p", 1))
              .apply(new ClusterEvent.CopyStarted(shard.shard(), copy, 1));
    }
    AllocationDeciders alone = new AllocationDeciders(state, Set.of());
    assertThat(Reconciler.nextRebalancing(state, alone)).isEmpty();

    ClusterState two = state.apply(new ClusterEvent.NodeJoined(node("q", PRIMARY)));
    assertThat(Reconciler.rebalancingObstacle(two)).isEmpty();
    String next =
        Reconciler.nextRebalancing(two, new AllocationDeciders(two, Set.of())).orElseThrow();
    assertThat(reconciler.reconcile(two, CALM))
        .first()
        .isInstanceOfSatisfying(
            ClusterEvent.RelocationStarted.class,
            move -> assertThat(move.copyId()).isEqualTo(next));

    ClusterState forbidden =
        two.apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of("cluster.routing.rebalance.enable", "none"), Map.of()));
    assertThat(Reconciler.nextRebalancing(forbidden, new AllocationDeciders(forbidden, Set.of())))
        .isEmpty();
    ClusterState missing =
        two.apply(new ClusterEvent.CopyUnassigned(SHARD, "i-0-0", "ALLOCATION_FAILED"));
    assertThat(Reconciler.rebalancingObstacle(missing)).isPresent();
  }
}
