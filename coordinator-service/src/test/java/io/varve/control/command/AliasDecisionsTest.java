package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.control.command.AliasChange.Kind;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.rpc.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AliasDecisionsTest {

  private static final AliasMetadata WRITING = new AliasMetadata(null, null, null, true, null);

  private ClusterState state = new FakeCluster().index("a", 1).index("b", 1).state();

  private static AliasChange change(
      Kind kind, String index, String alias, AliasMetadata metadata, @Nullable Boolean mustExist) {
    return new AliasChange(kind, List.of(index), List.of(alias), metadata, mustExist);
  }

  private static AliasChange add(String index, String alias) {
    return change(Kind.ADD, index, alias, AliasMetadata.PLAIN, null);
  }

  private static AliasChange remove(String index, String alias, @Nullable Boolean mustExist) {
    return change(Kind.REMOVE, index, alias, AliasMetadata.PLAIN, mustExist);
  }

  private List<ClusterEvent> decide(AliasChange... changes) {
    Decision decision =
        AliasDecisions.update(state, new ClusterCommand.UpdateAliases(List.of(changes)));
    List<ClusterEvent> events = ((Decision.Events) decision).events();
    for (ClusterEvent event : events) {
      state = state.apply(event);
    }
    return events;
  }

  private List<String> aliasesOf(String index) {
    return List.copyOf(state.indices().get(index).aliases().keySet());
  }

  @Test
  void allChangesAreOneEvent() {
    assertThat(decide(add("a", "x"), add("b", "x"), add("b", "y"))).hasSize(1);
    assertThat(decide(remove("b", "*", null), add("a", "z"))).hasSize(1);
    assertThat(aliasesOf("a")).containsExactly("x", "z");
    assertThat(aliasesOf("b")).isEmpty();
  }

  @Test
  void whatIsSoAlreadyIsNoEvent() {
    decide(add("a", "x"));
    assertThat(decide(add("a", "x"))).isEmpty();
  }

  @Test
  void anIndexGoesBeforeItsNameIsTaken() {
    decide(add("b", "a"), change(Kind.DELETE_INDEX, "a", "", AliasMetadata.PLAIN, null));
    assertThat(state.indices()).containsOnlyKeys("b");
    assertThat(aliasesOf("b")).containsExactly("a");
  }

  @Test
  void theNameOfAnIndexIsNoAlias() {
    assertThatThrownBy(() -> decide(add("a", "b")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("an index or data stream exists with the same name");
  }

  @Test
  void whatIsMissingIsRefusedUnlessItMayBe() {
    assertThatThrownBy(() -> decide(remove("a", "x", null))).hasMessageContaining("aliases [x]");
    assertThatThrownBy(() -> decide(add("a", "y"), remove("a", "x", true)))
        .hasMessageContaining("aliases [x] missing");
    assertThat(decide(remove("a", "x", false))).isEmpty();
    assertThat(decide(add("a", "y"), remove("a", "x", null))).hasSize(1);
  }

  @Test
  void oneIndexAtMostTakesTheWrites() {
    decide(change(Kind.ADD, "a", "x", WRITING, null));
    assertThatThrownBy(() -> decide(change(Kind.ADD, "b", "x", WRITING, null)))
        .hasMessageContaining("more than one write index [a,b]");
    decide(
        change(Kind.ADD, "a", "x", AliasMetadata.PLAIN.withWriteIndex(false), null),
        change(Kind.ADD, "b", "x", WRITING, null));
    assertThat(state.indices().get("b").aliases().get("x").writesHere()).isTrue();
  }
}
