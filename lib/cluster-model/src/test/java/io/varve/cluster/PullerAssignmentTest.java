package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Feature;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PullerAssignmentTest {

  private static ClusterState cluster(int level, String... pullers) {
    ClusterState state = Clusters.with(Clusters.node("p1", NodeInfo.PRIMARY));
    for (String puller : pullers) {
      state = state.apply(new ClusterEvent.NodeJoined(Clusters.node(puller, NodeInfo.CCR)));
    }
    return state.apply(new ClusterEvent.FeatureLevelRaised(level));
  }

  private static IndexMetadata index(int shards, @Nullable String assigned) {
    IndexMetadata plain = Clusters.index("books", shards, 0);
    return new IndexMetadata(
        plain.name(),
        plain.uuid(),
        plain.createdMillis(),
        plain.settings(),
        plain.settingsVersion(),
        plain.mapping(),
        plain.mappingVersion(),
        new FollowRelation("east", "books", "leader-uuid", assigned, 1),
        plain.shards());
  }

  private static List<String> spread(int shards, String... pullers) {
    return PullerAssignment.nodes(
        cluster(Feature.SPREAD_PULLERS.since(), pullers), index(shards, pullers[0]));
  }

  @Test
  void noNodePullsMoreThanItsPart() {
    for (int shards = 1; shards <= 20; shards++) {
      Map<String, Long> counts =
          spread(shards, "c1", "c2", "c3").stream()
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      assertThat(counts.values()).allMatch(count -> count <= 7);
      assertThat(Collections.max(counts.values())).isEqualTo(Math.ceilDiv(shards, 3));
    }
  }

  @Test
  void whenANodeLeavesItsShardsGoToTheOthers() {
    List<String> without = spread(12, "c1", "c2");
    assertThat(without).containsOnly("c1", "c2").hasSize(12);
    assertThat(without.stream().filter("c1"::equals)).hasSize(6);
  }

  @Test
  void mostShardsStayWhenANodeJoins() {
    List<String> before = spread(30, "c1", "c2", "c3", "c4");
    List<String> after = spread(30, "c1", "c2", "c3", "c4", "c5");
    assertThat(IntStream.range(0, 30).filter(i -> before.get(i).equals(after.get(i))).count())
        .isGreaterThan(15);
  }

  @Test
  void theNodeThatTheIndexIsAssignedToDoesNotMatterOnceShardsAreSpread() {
    ClusterState state = cluster(Feature.SPREAD_PULLERS.since(), "c1", "c2");
    assertThat(PullerAssignment.nodes(state, index(6, "c1")))
        .isEqualTo(PullerAssignment.nodes(state, index(6, "c2")))
        .isEqualTo(PullerAssignment.nodes(state, index(6, "one that left")));
  }

  @Test
  void anAssignedNodeOfAnOlderLevelPullsAllShards() {
    assertThat(PullerAssignment.nodes(cluster(1, "c1", "c2"), index(3, "c2")))
        .containsExactly("c2", "c2", "c2");
  }

  @Test
  void nobodyPullsAnIndexThatIsNotAssigned() {
    ClusterState state = cluster(Feature.SPREAD_PULLERS.since(), "c1");
    assertThat(PullerAssignment.nodes(state, index(3, null))).isEmpty();
    assertThat(PullerAssignment.nodes(state, Clusters.index("plain", 3, 0))).isEmpty();
  }
}
