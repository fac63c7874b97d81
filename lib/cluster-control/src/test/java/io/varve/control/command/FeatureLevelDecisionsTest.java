package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.FeatureLevels;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeatureLevelDecisionsTest {

  private static final FeatureLevels OLD = FeatureLevels.UNSAID;
  private static final FeatureLevels NEW = FeatureLevels.OF_THIS_RELEASE;

  private static ClusterState cluster(String... nodeIds) {
    ClusterState state = ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("test", "uuid"));
    for (String id : nodeIds) {
      state =
          state.apply(
              new ClusterEvent.NodeJoined(
                  new NodeInfo(id, "name-" + id, "i", Set.of(NodeInfo.CCR), "http://" + id)));
    }
    return state;
  }

  private static Decision raise(
      ClusterState state, @Nullable Integer level, Map<String, FeatureLevels> supported) {
    return FeatureLevelDecisions.raise(
        state, new ClusterCommand.RaiseFeatureLevel(level), supported);
  }

  private static ErrorBody refusal(Decision decision) {
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return ((Decision.Refused) decision).error();
  }

  @Test
  void itRisesWhenEveryMemberSupportsTheLevel() {
    ClusterState state = cluster("a", "b");
    Map<String, FeatureLevels> supported = Map.of("a", NEW, "b", NEW);

    assertThat(raise(state, 2, supported))
        .isEqualTo(Decision.of(new ClusterEvent.FeatureLevelRaised(2)));
    assertThat(raise(state, null, supported))
        .isEqualTo(Decision.of(new ClusterEvent.FeatureLevelRaised(FeatureLevels.NEWEST)));
  }

  @Test
  void theRefusalNamesEachMemberThatLacksTheLevel() {
    ErrorBody error = refusal(raise(cluster("a", "b", "c"), 2, Map.of("a", NEW, "b", OLD)));

    assertThat(error.status()).isEqualTo(409);
    assertThat(error.type()).isEqualTo("feature_level_not_supported_exception");
    assertThat(error.reason())
        .isEqualTo(
            "feature level [2] is not supported by node [name-b] (supports feature level 1), node"
                + " [name-c] (not heard yet, so its feature levels are not known)");
  }

  @Test
  void withoutALevelItRisesToTheHighestThatAllSupport() {
    ClusterState state = cluster("a", "b");

    assertThat(raise(state, null, Map.of("a", NEW, "b", OLD))).isEqualTo(Decision.nothing());
    assertThat(refusal(raise(state, null, Map.of("a", NEW))).reason()).contains("name-b");
  }

  @Test
  void anAbsentNodeCountsWhileACopyIsAssignedToIt() {
    ShardId shard = new ShardId("books-uuid", 0);
    IndexMetadata index =
        new IndexMetadata(
            "books",
            "books-uuid",
            0,
            Map.of(),
            1,
            "{}",
            1,
            null,
            List.of(
                new ShardRouting(
                    shard,
                    1,
                    List.of(new CopyRouting("c", true, CopyRouting.State.STARTED, "away", "")))));
    ClusterState state = cluster("a").apply(new ClusterEvent.IndexCreated(index));

    assertThat(refusal(raise(state, 2, Map.of("a", NEW))).reason()).contains("node [away]");
    assertThat(raise(state, 2, Map.of("a", NEW, "away", NEW))).isInstanceOf(Decision.Events.class);
  }

  @Test
  void itNeverGoesDownAndNeverBeyondThisRelease() {
    ClusterState state = cluster("a").apply(new ClusterEvent.FeatureLevelRaised(2));
    Map<String, FeatureLevels> supported = Map.of("a", new FeatureLevels(1, 9));

    ErrorBody down = refusal(raise(state, 1, supported));
    assertThat(down.status()).isEqualTo(400);
    assertThat(down.reason()).isEqualTo("[feature_level] can't go down from [2] to [1]");
    ErrorBody beyond = refusal(raise(state, 9, supported));
    assertThat(beyond.status()).isEqualTo(400);
    assertThat(beyond.reason())
        .isEqualTo(
            "[feature_level] must be at most [%d], the newest of this release, was [9]",
            FeatureLevels.NEWEST);
    assertThat(raise(state, 2, supported)).isEqualTo(Decision.nothing());
  }
}
