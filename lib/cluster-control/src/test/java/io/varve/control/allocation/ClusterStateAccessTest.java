package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Templates;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Aliases, templates, and indices that are closed and opened. */
class ClusterStateAccessTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  private final NodeInfo primary = Clusters.node("p", "primary");
  private ClusterState state =
      Clusters.apply(
          Clusters.with(primary, Clusters.node("r", "replica")),
          List.of(
              new ClusterEvent.IndexCreated(Clusters.index("books", 1, 1)),
              new ClusterEvent.PrimaryAssigned(SHARD, "c1", "p", 1),
              new ClusterEvent.CopyStarted(SHARD, "c1", 1)));

  private void apply(ClusterEvent event) {
    state = state.apply(event);
  }

  private IndexMetadata books() {
    return state.indices().get("books");
  }

  private static ClusterEvent aliases(String name, @Nullable AliasMetadata alias) {
    Map<String, @Nullable AliasMetadata> changes = new HashMap<>();
    changes.put(name, alias);
    return new ClusterEvent.AliasesChanged(Map.of("books-uuid", changes), List.of());
  }

  @Test
  void aliasesAreAddedAndRemovedAndTheirVersionIncreases() {
    apply(aliases("a", AliasMetadata.PLAIN));
    apply(aliases("b", new AliasMetadata(null, "1", null, true, null)));
    assertThat(books().aliases()).containsOnlyKeys("a", "b");
    apply(aliases("a", null));
    assertThat(books().aliases()).containsOnlyKeys("b");
    assertThat(books().access().aliasesVersion()).isEqualTo(4);
  }

  @Test
  void anIndexIsDeletedInTheStepInWhichItsNameBecomesAnAlias() {
    apply(new ClusterEvent.IndexCreated(Clusters.index("new", 1, 0)));
    apply(
        new ClusterEvent.AliasesChanged(
            Map.of("new-uuid", Map.of("books", AliasMetadata.PLAIN)), List.of("books-uuid")));
    assertThat(state.indices()).containsOnlyKeys("new");
    assertThat(state.indices().get("new").aliases()).containsOnlyKeys("books");
  }

  @Test
  void theCopiesOfAClosedIndexStayOnTheirNodes() {
    apply(new ClusterEvent.IndexClosed("books-uuid"));
    apply(new ClusterEvent.NodeJoined(new NodeInfo("p", "p", "p-2", primary.roles(), "http://p")));
    assertThat(books().closed()).isTrue();
    assertThat(books().shard(0).primary().state()).isEqualTo(State.STARTED);
    assertThat(books().shard(0).primaryTerm()).isEqualTo(1);
  }

  @Test
  void aPrimaryOfAReopenedIndexHasANewTerm() {
    apply(new ClusterEvent.IndexClosed("books-uuid"));
    apply(new ClusterEvent.IndexOpened("books-uuid"));
    assertThat(books().closed()).isFalse();
    assertThat(books().shard(0).primary().state()).isEqualTo(State.INITIALIZING);
    assertThat(books().shard(0).primaryTerm()).isEqualTo(2);
    assertThat(books().shard(0).replicas().getFirst().state()).isEqualTo(State.UNASSIGNED);
  }

  @Test
  void theReconcilerDoesNotChangeAClosedIndex() {
    apply(new ClusterEvent.IndexClosed("books-uuid"));
    assertThat(
            new Reconciler(() -> "id")
                .reconcile(
                    state, new Reconciler.Situation(Map.of(), java.util.Set.of(), 1_000_000)))
        .isEmpty();
  }

  @Test
  void templatesComeAndGoByKind() {
    Templates.Legacy old = new Templates.Legacy(List.of("a*"), 0, null, Templates.Content.EMPTY);
    apply(new ClusterEvent.TemplatesChanged(Map.of("t", old), Map.of(), Map.of()));
    assertThat(state.templates().legacy()).containsEntry("t", old);
    Map<String, Templates.@Nullable Legacy> gone = new HashMap<>();
    gone.put("t", null);
    apply(new ClusterEvent.TemplatesChanged(gone, Map.of(), Map.of()));
    assertThat(state.templates()).isEqualTo(Templates.NONE);
  }
}
