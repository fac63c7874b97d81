package io.varve.control.allocation;

import static io.varve.cluster.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoExpansion;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicaExpansionTest {

  private static final Reconciler.Situation CALM = new Reconciler.Situation(Map.of(), Set.of(), 0);

  private final AtomicInteger ids = new AtomicInteger();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());

  @ParameterizedTest
  @CsvSource({
    "0-1, 1, 0",
    "0-1, 2, 1",
    "0-1, 5, 1",
    "0-all, 1, 0",
    "0-all, 4, 3",
    "1-all, 1, 1",
    "2-3, 2, 2",
    "2-3, 9, 3",
  })
  void thereAreAsManyReplicasAsNodesForThem(String bounds, int nodes, int replicas) {
    assertThat(AutoExpansion.parse(bounds).orElseThrow().replicas(nodes)).hasValue(replicas);
  }

  @Test
  void withoutAnyNodeNothingIsChanged() {
    assertThat(AutoExpansion.parse("0-all").orElseThrow().replicas(0)).isEmpty();
  }

  @Test
  void theNumberOfReplicasFollowsTheNumberOfNodes() {
    ClusterState state =
        settled(
            Clusters.with(node("p", "primary"), node("c", "coordinator"), node("x", "ccr"))
                .apply(new ClusterEvent.IndexCreated(expanding("0-all"))));
    assertThat(books(state).numberOfReplicas()).isZero();

    state = settled(state.apply(new ClusterEvent.NodeJoined(node("r1", "replica"))));
    state = settled(state.apply(new ClusterEvent.NodeJoined(node("r2", "replica"))));
    assertThat(books(state).numberOfReplicas()).isEqualTo(2);
    assertThat(books(state).shard(0).copies())
        .extracting(CopyRouting::nodeId)
        .containsExactlyInAnyOrder("p", "r1", "r2");

    state = settled(state.apply(new ClusterEvent.NodeLeft("r1", "silent")));
    assertThat(books(state).shard(0).copies())
        .extracting(CopyRouting::nodeId)
        .as("the copy that is gone goes, the one that serves stays")
        .containsExactlyInAnyOrder("p", "r2");
  }

  @Test
  void theReplicaOfALostPrimaryIsPromotedAndNotRemoved() {
    ClusterState state =
        settled(
            Clusters.with(node("p1", "primary"), node("p2", "primary"))
                .apply(new ClusterEvent.IndexCreated(expanding("0-1"))));
    String first = books(state).shard(0).primary().nodeId();
    String second = books(state).shard(0).replicas().getFirst().nodeId();

    state = settled(state.apply(new ClusterEvent.NodeLeft(String.valueOf(first), "silent")));

    assertThat(books(state).shard(0).copies())
        .singleElement()
        .satisfies(copy -> {
          assertThat(copy.nodeId()).isEqualTo(second);
          assertThat(copy.primary()).isTrue();
          assertThat(copy.state()).isEqualTo(State.STARTED);
        });
  }

  @Test
  void nodesThatFiltersExcludeDoNotCount() {
    IndexMetadata index = with(expanding("0-all"), "index.routing.allocation.exclude._name", "r1");
    ClusterState state =
        settled(
            Clusters.with(node("p", "primary"), node("r1", "replica"), node("r2", "replica"))
                .apply(new ClusterEvent.IndexCreated(index)));

    assertThat(books(state).numberOfReplicas()).isEqualTo(1);
  }

  private static IndexMetadata expanding(String bounds) {
    return with(Clusters.index("books", 1, 0), IndexSettings.AUTO_EXPAND_REPLICAS, bounds);
  }

  private static IndexMetadata with(IndexMetadata index, String name, String value) {
    Map<String, String> settings = new HashMap<>(index.settings());
    settings.put(name, value);
    return new IndexMetadata(
        index.name(),
        index.uuid(),
        index.createdMillis(),
        settings,
        1,
        index.mapping(),
        1,
        null,
        index.shards());
  }

  private static IndexMetadata books(ClusterState state) {
    return state.indices().get("books");
  }

  /** The state after all decisions have been applied. */
  private ClusterState settled(ClusterState state) {
    ClusterState next = Clusters.apply(state, reconciler.reconcile(state, CALM));
    for (ShardRouting shard : books(next).shards()) {
      List<CopyRouting> waiting =
          shard.copies().stream().filter(c -> c.state() == State.INITIALIZING).toList();
      for (CopyRouting copy : waiting) {
        next =
            next.apply(
                new ClusterEvent.CopyStarted(shard.shard(), copy.copyId(), shard.primaryTerm()));
      }
    }
    assertThat(reconciler.reconcile(next, CALM)).as("events after the events").isEmpty();
    return next;
  }
}
