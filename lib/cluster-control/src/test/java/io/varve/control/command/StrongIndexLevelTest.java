package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An index is strong only in a cluster whose members all can tell which versions they hold. */
class StrongIndexLevelTest {

  private static final Map<String, String> STRONG =
      Map.of("index.replication.consistency", "strong");
  private static final String REASON =
      "index.replication.consistency [strong] needs feature level 2, the cluster is at level 1";

  private final IndexCreation creation = new IndexCreation(new NewIndex(() -> "copy", () -> 0));

  private static ClusterState atLevelOne() {
    return ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("test", "uuid"));
  }

  private static ClusterState atLevelTwo() {
    return atLevelOne().apply(new ClusterEvent.FeatureLevelRaised(2));
  }

  private static void refused(ThrowingCallable decision) {
    assertThatThrownBy(decision)
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(400);
              assertThat(e.error().reason()).isEqualTo(REASON);
            });
  }

  private static ClusterCommand.CreateIndex create(String name, Map<String, String> settings) {
    return ClusterCommand.CreateIndex.of(name, Map.copyOf(settings), "{}");
  }

  private static ClusterState with(ClusterState state, Decision decision) {
    assertThat(decision).isInstanceOf(Decision.Events.class);
    ClusterState changed = state;
    for (ClusterEvent event : ((Decision.Events) decision).events()) {
      changed = changed.apply(event);
    }
    return changed;
  }

  @Test
  void noStrongIndexIsCreatedOrRestoredBelowTheLevel() {
    refused(() -> creation.create(atLevelOne(), create("a", STRONG), "uuid-a"));

    ClusterState state =
        with(atLevelTwo(), creation.create(atLevelTwo(), create("a", STRONG), "uuid-a"));
    IndexMetadata strong = state.index("uuid-a").orElseThrow();
    refused(() ->
        creation.restore(
            atLevelOne(), new ClusterCommand.RestoreIndex(strong, List.of()), "uuid-b"));
  }

  @Test
  void noIndexBecomesStrongBelowTheLevel() {
    ClusterState created =
        with(atLevelOne(), creation.create(atLevelOne(), create("a", Map.of()), "uuid-a"));
    ClusterState closed = created.apply(new ClusterEvent.IndexClosed("uuid-a"));
    ClusterCommand.UpdateIndexSettings update =
        new ClusterCommand.UpdateIndexSettings(List.of("a"), Map.copyOf(STRONG), false);

    assertThat(IndexDecisions.updateSettings(closed, update))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> assertThat(refused.error().reason()).isEqualTo(REASON));

    ClusterState raised = closed.apply(new ClusterEvent.FeatureLevelRaised(2));
    assertThat(
            with(raised, IndexDecisions.updateSettings(raised, update))
                .index("uuid-a")
                .orElseThrow()
                .settings())
        .containsEntry("index.replication.consistency", "strong");
  }
}
