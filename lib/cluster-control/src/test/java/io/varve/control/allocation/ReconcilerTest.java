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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconcilerTest extends ReconcilerWorld {
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
  void aCopyIsNotAllocatedWhereOneFailedRecently() {
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

  @Test
  void aFollowingIndexIsPulledByALiveNode() {
    IndexMetadata copy =
        Clusters.index("copy", 1, 0)
            .withFollow(new FollowRelation("europe", "books", "uuid", null, 0));
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
  void noNodePullsForAPausedFollower() {
    IndexMetadata copy =
        Clusters.index("copy", 1, 0)
            .withFollow(new FollowRelation("europe", "books", "uuid", null, 4, null, true));
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

  /** Nodes join, leave and restart, copies fail and start; the invariants hold after each step. */
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
              new Membership(1_000, 1_000)
                  .changes(
                      state,
                      Map.of(nodeId, new Membership.Sign(Clusters.heartbeat(node), nowMillis)),
                      _ -> 0,
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
