package io.varve.control.allocation;

import static io.varve.cluster.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.Membership;
import io.varve.control.allocation.Reconciler.Place;
import io.varve.control.allocation.Reconciler.Situation;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconcilerTest {

  private static final Situation CALM = new Situation(Map.of(), Set.of(), 0);

  private final AtomicInteger ids = new AtomicInteger();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());

  private ClusterState settle(ClusterState state, Situation situation) {
    ClusterState next = Clusters.apply(state, reconciler.reconcile(state, situation));
    assertThat(reconciler.reconcile(next, situation)).as("events after the events").isEmpty();
    return next;
  }

  private static ClusterState create(ClusterState state, IndexMetadata index) {
    return state.apply(new ClusterEvent.IndexCreated(index));
  }

  private static ClusterState startAll(ClusterState state) {
    ClusterState next = state;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.state() == State.INITIALIZING) {
            next =
                next.apply(
                    new ClusterEvent.CopyStarted(
                        shard.shard(), copy.copyId(), shard.primaryTerm()));
          }
        }
      }
    }
    return next;
  }

  private static Map<String, Integer> copiesByNode(ClusterState state) {
    Map<String, Integer> copies = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.nodeId() != null) {
            copies.merge(copy.nodeId(), 1, Integer::sum);
          }
        }
      }
    }
    return copies;
  }

  @Test
  void primariesGoToPrimaryNodesAndReplicasToReplicaNodes() {
    ClusterState state =
        settle(
            create(
                Clusters.with(
                    node("c", "coordinator"),
                    node("p", "primary"),
                    node("r", "replica"),
                    node("x", "ccr")),
                Clusters.index("books", 2, 1)),
            CALM);
    assertThat(state.indices().get("books").shards())
        .allSatisfy(shard -> {
          assertThat(shard.primary().nodeId()).isEqualTo("p");
          assertThat(shard.primaryTerm()).isEqualTo(1);
          assertThat(shard.replicas()).extracting(CopyRouting::nodeId).containsExactly("r");
        });
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "4, 2", "9, 3", "10, 3"})
  void copiesAreSpreadEvenly(int shards, int nodes) {
    NodeInfo[] members = new NodeInfo[nodes];
    for (int i = 0; i < nodes; i++) {
      members[i] = node("p" + i, "primary");
    }
    ClusterState state =
        settle(create(Clusters.with(members), Clusters.index("a", shards, 0)), CALM);
    assertThat(copiesByNode(state).values())
        .allMatch(count -> count == shards / nodes || count == (shards + nodes - 1) / nodes);
  }

  @Test
  void theSmallestIdGetsTheFirstCopy() {
    ClusterState state =
        settle(
            create(
                Clusters.with(node("p2", "primary"), node("p1", "primary")),
                Clusters.index("a", 1, 0)),
            CALM);
    assertThat(state.indices().get("a").shard(0).primary().nodeId()).isEqualTo("p1");
  }

  @Test
  void neverTwoCopiesOfAShardOnOneNode() {
    ClusterState state =
        settle(
            create(
                Clusters.with(node("a", "primary", "replica"), node("b", "primary", "replica")),
                Clusters.index("books", 3, 2)),
            CALM);
    assertThat(state.indices().get("books").shards())
        .allSatisfy(shard -> {
          assertThat(shard.copies()).extracting(CopyRouting::nodeId).contains("a", "b");
          assertThat(shard.copies().getLast().state()).isEqualTo(State.UNASSIGNED);
        });
  }

  @Test
  void aCopyWaitsForItsNodeAndIsThenBuiltElsewhere() {
    ClusterState state =
        startAll(
            settle(
                create(
                    Clusters.with(
                        node("p1", "primary"), node("r1", "replica"), node("r2", "replica")),
                    Clusters.index("books", 1, 1)),
                CALM));
    CopyRouting lost = state.indices().get("books").shard(0).replicas().getFirst();
    assertThat(lost.nodeId()).isEqualTo("r1");
    state = state.apply(new ClusterEvent.NodeLeft("r1", "silent"));

    assertThat(reconciler.reconcile(state, new Situation(Map.of("r1", 0L), Set.of(), 59_999)))
        .isEmpty();
    ClusterState later = settle(state, new Situation(Map.of("r1", 0L), Set.of(), 60_000));
    CopyRouting rebuilt = later.indices().get("books").shard(0).replicas().getFirst();
    assertThat(rebuilt.nodeId()).isEqualTo("r2");
    assertThat(rebuilt.copyId()).isNotEqualTo(lost.copyId());
    assertThat(rebuilt.state()).isEqualTo(State.INITIALIZING);
  }

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

  /** Their folders may be all that is left of what the log no longer has. */
  @Test
  void whenNoCopyIsThereThoseOfATruncatedLogKeepTheirPlaces() {
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

  @ParameterizedTest
  @CsvSource({"forever, 1", "auto, 0"})
  void whatALogHasWholeIsBuiltElsewhereFromItAlone(String retention, int replicas) {
    ClusterState later = settle(everybodyLeft(retention, replicas), LONG_AGO);
    assertThat(later.indices().get("books").shard(0).primary().nodeId()).isEqualTo("p2");
  }

  @Test
  void aCopyIsNotBuiltWhereItFailedAShortWhileAgo() {
    ClusterState state =
        create(
            Clusters.with(node("p1", "primary"), node("p2", "primary")), Clusters.index("a", 1, 0));
    ShardId shard = new ShardId("a-uuid", 0);
    Situation p1Failed = new Situation(Map.of(), Set.of(new Place(shard, "p1")), 0);
    assertThat(settle(state, p1Failed).shard(shard).orElseThrow().primary().nodeId())
        .isEqualTo("p2");
  }

  @Test
  void theNumberOfCopiesFollowsTheSetting() {
    ClusterState state =
        startAll(
            settle(
                create(
                    Clusters.with(
                        node("p", "primary"), node("r1", "replica"), node("r2", "replica")),
                    Clusters.index("books", 1, 1)),
                CALM));
    String serving = state.indices().get("books").shard(0).replicas().getFirst().copyId();
    ClusterState more = settle(state.apply(replicas("2")), CALM);
    assertThat(more.indices().get("books").shard(0).replicas())
        .extracting(CopyRouting::nodeId)
        .containsExactlyInAnyOrder("r1", "r2");

    ClusterState fewer = settle(more.apply(replicas("1")), CALM);
    assertThat(fewer.indices().get("books").shard(0).replicas())
        .extracting(CopyRouting::copyId)
        .containsExactly(serving);
    assertThat(settle(fewer.apply(replicas("0")), CALM).indices().get("books").shard(0).replicas())
        .isEmpty();
  }

  private static ClusterEvent replicas(String count) {
    return new ClusterEvent.IndexSettingsChanged(
        "books-uuid", 2, Map.of("index.number_of_replicas", count));
  }

  @Test
  void aFollowingIndexIsPulledByALiveNode() {
    IndexMetadata copy =
        Clusters.index("copy", 1, 0)
            .withFollow(new IndexMetadata.Follow("europe", "books", "uuid", null, 0));
    ClusterState none = settle(create(Clusters.with(node("p", "primary")), copy), CALM);
    assertThat(none.indices().get("copy").follow().nodeId()).isNull();

    ClusterState state =
        settle(
            none.apply(new ClusterEvent.NodeJoined(node("x1", "ccr")))
                .apply(new ClusterEvent.NodeJoined(node("x2", "ccr"))),
            CALM);
    assertThat(state.indices().get("copy").follow().nodeId()).isEqualTo("x1");
    assertThat(state.indices().get("copy").follow().assignment()).isEqualTo(1);

    ClusterState moved = settle(state.apply(new ClusterEvent.NodeLeft("x1", "silent")), CALM);
    assertThat(moved.indices().get("copy").follow().nodeId()).isEqualTo("x2");
    assertThat(moved.indices().get("copy").follow().assignment()).isEqualTo(2);

    ClusterState nobody = settle(moved.apply(new ClusterEvent.NodeLeft("x2", "silent")), CALM);
    assertThat(nobody.indices().get("copy").follow().nodeId()).isNull();
  }

  @Test
  void aPausedFollowerIsPulledByNobodyUntilItIsResumed() {
    IndexMetadata copy =
        Clusters.index("copy", 1, 0)
            .withFollow(new IndexMetadata.Follow("europe", "books", "uuid", null, 4, null, true));
    ClusterState paused =
        settle(create(Clusters.with(node("p", "primary"), node("x1", "ccr")), copy), CALM);
    assertThat(paused.indices().get("copy").follow().nodeId()).isNull();

    ClusterState resumed =
        settle(
            paused.apply(
                new ClusterEvent.FollowChanged(
                    "copy-uuid", paused.indices().get("copy").follow().resumed(null))),
            CALM);
    assertThat(resumed.indices().get("copy").follow().nodeId()).isEqualTo("x1");
    assertThat(resumed.indices().get("copy").follow().assignment()).isEqualTo(6);
  }

  /** Nodes come, go and restart, copies fail and start; what must hold holds after each step. */
  @Test
  void keepsItsInvariantsInRandomHistories() {
    for (long seed = 0; seed < 200; seed++) {
      new History(seed).run();
    }
  }

  private final class History {
    private final long seed;
    private final Random random;
    private final Absences absences = new Absences();
    private final Set<String> assignedTerms = new HashSet<>();
    private ClusterState state = Clusters.with(node("n0", "primary", "replica"));
    private long nowMillis;

    History(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      state = create(state, Clusters.index("a", 3, 1));
      state = create(state, Clusters.index("b", 2, 2));
      for (int step = 0; step < 60; step++) {
        act("n" + random.nextInt(5));
        nowMillis += random.nextInt(40_000);
        Situation situation = new Situation(absences.update(state, nowMillis), Set.of(), nowMillis);
        List<ClusterEvent> events = reconciler.reconcile(state, situation);
        remember(events);
        state = Clusters.apply(state, events);
        check();
      }
    }

    private void act(String nodeId) {
      NodeInfo node =
          new NodeInfo(
              nodeId, nodeId, nodeId + random.nextInt(3), Set.of("primary", "replica"), "http://x");
      switch (random.nextInt(4)) {
        case 0 -> state = state.apply(new ClusterEvent.NodeLeft(nodeId, "silent"));
        case 1 -> {
          List<ClusterEvent> joining =
              new Membership(1_000)
                  .changes(
                      state,
                      Map.of(nodeId, new Membership.Sign(Clusters.heartbeat(node), nowMillis)),
                      nowMillis,
                      nowMillis);
          remember(joining);
          state = Clusters.apply(state, joining);
        }
        default -> state = startAll(state);
      }
    }

    private void remember(List<ClusterEvent> events) {
      for (ClusterEvent event : events) {
        if (event instanceof ClusterEvent.PrimaryAssigned e) {
          assertThat(assignedTerms.add(e.shard() + "/" + e.term()))
              .as("seed %s: term %s of %s is new", seed, e.term(), e.shard())
              .isTrue();
        }
      }
    }

    private void check() {
      for (IndexMetadata index : state.indices().values()) {
        for (ShardRouting shard : index.shards()) {
          List<String> nodes =
              shard.copies().stream()
                  .filter(c -> c.nodeId() != null)
                  .map(c -> c.nodeId() + "")
                  .toList();
          assertThat(nodes).as("seed %s: nodes of %s", seed, shard.shard()).doesNotHaveDuplicates();
        }
      }
    }
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
  void whoServesNothingIsNotPromoted() {
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

  @Test
  void withoutAReplicaNodeAReplicaGoesToAnotherNodeForPrimaries() {
    ClusterState state =
        settle(
            create(
                Clusters.with(node("p1", "primary"), node("p2", "primary")),
                Clusters.index("a", 1, 1)),
            CALM);
    assertThat(copiesByNode(state)).isEqualTo(Map.of("p1", 1, "p2", 1));
  }
}
