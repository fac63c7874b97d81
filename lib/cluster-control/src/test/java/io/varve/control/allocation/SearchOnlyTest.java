package io.varve.control.allocation;

import static io.varve.cluster.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettingRules;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An index in search-only mode: which copies it keeps, and how it gets its writers back. */
class SearchOnlyTest {

  private static final Reconciler.Situation CALM = new Reconciler.Situation(Map.of(), Set.of(), 0);

  private final AtomicInteger ids = new AtomicInteger();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());

  private ClusterState settle(ClusterState state) {
    ClusterState next = Clusters.apply(state, reconciler.reconcile(state, CALM));
    for (CopyRouting copy : shard(next).copies()) {
      if (copy.state() == State.INITIALIZING) {
        next =
            next.apply(
                new ClusterEvent.CopyStarted(
                    shard(next).shard(), copy.copyId(), shard(next).primaryTerm()));
      }
    }
    assertThat(reconciler.reconcile(next, CALM)).as("events after the events").isEmpty();
    return next;
  }

  private static ShardRouting shard(ClusterState state) {
    return state.indices().get("a").shard(0);
  }

  private static ClusterState set(ClusterState state, String name, @Nullable String value) {
    Map<String, @Nullable String> changes = new HashMap<>();
    changes.put(name, value);
    IndexMetadata index = state.indices().get("a");
    return state.apply(
        new ClusterEvent.IndexSettingsChanged(index.uuid(), index.settingsVersion() + 1, changes));
  }

  private ClusterState written() {
    IndexMetadata index = Clusters.index("a", 1, 1);
    Map<String, String> settings = new TreeMap<>(index.settings());
    settings.put(IndexSettings.NUMBER_OF_SEARCH_REPLICAS, "1");
    return settle(
        Clusters.with(
                node("p1", "primary"),
                node("p2", "primary"),
                node("s1", "search"),
                node("s2", "search"))
            .apply(new ClusterEvent.IndexCreated(index.withSettings(Map.copyOf(settings), 1))));
  }

  private ClusterState released() {
    return set(written(), IndexBlocks.SEARCH_ONLY, "true")
        .apply(new ClusterEvent.WritersReleased("a-uuid"));
  }

  @Test
  void onlyTheCopiesForSearchesStay() {
    ClusterState before = written();
    ClusterState after = settle(released());

    assertThat(shard(after).released()).isTrue();
    assertThat(shard(after).copies()).allMatch(CopyRouting::searchOnly).hasSize(1);
    assertThat(shard(after).copies().getFirst().state()).isEqualTo(State.STARTED);
    assertThat(shard(after).primary().state()).isEqualTo(State.UNASSIGNED);
    assertThat(shard(after).primaryTerm()).isEqualTo(shard(before).primaryTerm());
  }

  @Test
  void aBlockAloneTakesNobodyAway() {
    ClusterState before = written();
    ClusterState after = settle(set(before, IndexBlocks.SEARCH_ONLY, "true"));

    assertThat(shard(after)).isEqualTo(shard(before));
  }

  @Test
  void recalledWritersStartUnderANewTerm() {
    ClusterState again = settle(set(settle(released()), IndexBlocks.SEARCH_ONLY, null));

    assertThat(shard(again).primary().started()).isTrue();
    assertThat(shard(again).primaryTerm()).isEqualTo(2);
    assertThat(shard(again).replicas()).singleElement().matches(CopyRouting::started);
    assertThat(shard(again).searchReplicas()).singleElement().matches(CopyRouting::started);
  }

  @Test
  void theNumberOfSearchCopiesChangesInSearchOnlyModeAndThatOfReplicasAfterIt() {
    ClusterState state = settle(released());
    state = settle(set(state, IndexSettings.NUMBER_OF_SEARCH_REPLICAS, "2"));
    state = settle(set(state, IndexSettings.NUMBER_OF_REPLICAS, "0"));
    assertThat(shard(state).copies()).hasSize(2).allMatch(CopyRouting::started);
    assertThat(shard(state).copies()).allMatch(CopyRouting::searchOnly);

    state = settle(set(state, IndexBlocks.SEARCH_ONLY, null));
    assertThat(shard(state).writeCopies()).singleElement().matches(CopyRouting::primary);
  }

  @Test
  void aReturningNodeDoesNotGetThePrimary() {
    ClusterState state = settle(released());
    state = state.apply(new ClusterEvent.NodeLeft("p1", "gone"));
    state = settle(state.apply(new ClusterEvent.NodeJoined(node("p1", "primary"))));
    assertThat(shard(state).released()).isTrue();
  }

  @Test
  void aTermThatWasAssignedForAHandOverIsNotAssignedAgain() {
    ClusterState state = written();
    String primary = shard(state).primary().copyId();
    state =
        Clusters.apply(
            set(state, IndexBlocks.SEARCH_ONLY, "true"),
            List.of(
                new ClusterEvent.RelocationStarted(shard(state).shard(), primary, "target", "p3"),
                new ClusterEvent.HandOverStarted(shard(state).shard(), "target", 2),
                new ClusterEvent.WritersReleased("a-uuid")));
    assertThat(shard(state).relocations()).isEmpty();

    assertThat(shard(settle(set(state, IndexBlocks.SEARCH_ONLY, null))).primaryTerm()).isEqualTo(3);
  }

  @Test
  void itIsReadBackFromTheLog() {
    ClusterState state = settle(released());
    byte[] json = Json.write(state.indices().get("a"));
    assertThat(Json.read(json, IndexMetadata.class)).isEqualTo(state.indices().get("a"));
  }

  @Test
  void writesAreForbiddenAndReadsAreNot() {
    IndexMetadata index = released().indices().get("a");
    assertThat(IndexBlocks.refusal(index, IndexBlocks.Action.WRITE).orElseThrow())
        .satisfies(error -> {
          assertThat(error.status()).isEqualTo(403);
          assertThat(error.type()).isEqualTo("cluster_block_exception");
          assertThat(error.reason())
              .isEqualTo("index [a] blocked by: [FORBIDDEN/20/index scaled down];");
        });
    assertThat(IndexBlocks.refusal(index, IndexBlocks.Action.READ)).isEqualTo(Optional.empty());
    assertThat(IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE)).isEmpty();
    assertThat(
            IndexSettingRules.refusalOfChange(index, Map.of(IndexBlocks.SEARCH_ONLY, "false"))
                .orElseThrow()
                .reason())
        .contains("can not update private setting [index.blocks.search_only]");
    Map<String, String> none = new TreeMap<>(index.settings());
    none.put(IndexSettings.NUMBER_OF_SEARCH_REPLICAS, "0");
    assertThat(IndexSettingRules.contradiction(none)).isPresent();
  }
}
