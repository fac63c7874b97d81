package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Feature;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The versions at which the members joined. */
class MemberSinceTest {

  private static final NodeInfo NODE = Clusters.node("n1", NodeInfo.REPLICA);
  private static final ClusterState FORMED =
      Clusters.with(Clusters.node("former", NodeInfo.REPLICA))
          .apply(new ClusterEvent.FeatureLevelRaised(Feature.MEMBER_SINCE.since()));

  private static NodeInfo as(String incarnation, Map<String, String> attributes) {
    return new NodeInfo(
        NODE.nodeId(), NODE.name(), incarnation, NODE.roles(), NODE.url(), attributes);
  }

  @Test
  void aJoinIsRecordedFromItsLevelOn() {
    assertThat(FORMED.memberSince()).isEmpty();

    ClusterState joined = FORMED.apply(new ClusterEvent.NodeJoined(NODE));

    assertThat(joined.memberSince()).isEqualTo(Map.of("n1", joined.version()));
  }

  @Test
  void aNewProcessJoinsAnewAndNewAttributesOfOneDoNot() {
    ClusterState joined = FORMED.apply(new ClusterEvent.NodeJoined(NODE));
    ClusterState moved =
        joined.apply(new ClusterEvent.NodeJoined(as(NODE.incarnation(), Map.of("zone", "b"))));
    assertThat(moved.memberSince()).isEqualTo(joined.memberSince());

    ClusterState restarted = moved.apply(new ClusterEvent.NodeJoined(as("another", Map.of())));

    assertThat(restarted.memberSince()).isEqualTo(Map.of("n1", restarted.version()));
  }

  @Test
  void aNodeThatLeavesAndReturnsIsAMemberSinceItsReturn() {
    ClusterState left =
        FORMED
            .apply(new ClusterEvent.NodeJoined(NODE))
            .apply(new ClusterEvent.NodeLeft("n1", "silent"));
    assertThat(left.memberSince()).isEmpty();

    ClusterState returned = left.apply(new ClusterEvent.NodeJoined(NODE));

    assertThat(returned.memberSince()).isEqualTo(Map.of("n1", returned.version()));
  }

  @Test
  void eventsThatTakeEffectTogetherHaveOneVersion() {
    ClusterState joined =
        FORMED.apply(
            new ClusterEvent.Together(
                List.of(
                    new ClusterEvent.IndexDeleted("unknown"),
                    new ClusterEvent.IndexDeleted("unknown"),
                    new ClusterEvent.NodeJoined(NODE))));

    assertThat(joined.version()).isEqualTo(FORMED.version() + 1);
    assertThat(joined.memberSince()).isEqualTo(Map.of("n1", joined.version()));
  }
}
