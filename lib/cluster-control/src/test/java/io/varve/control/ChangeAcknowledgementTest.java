package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import org.junit.jupiter.api.Test;

class ChangeAcknowledgementTest {

  private static final NodeInfo HERE = Clusters.node("here", NodeInfo.COORDINATOR);
  private static final NodeInfo OTHER = Clusters.node("other", NodeInfo.COORDINATOR);

  private final ClusterState state =
      Clusters.with(HERE, OTHER, Clusters.node("data", NodeInfo.PRIMARY, NodeInfo.REPLICA))
          .apply(new ClusterEvent.FeatureLevelRaised(Feature.APPLIED_VERSIONS.since()));
  private final ChangeAcknowledgement change =
      new ChangeAcknowledgement(HERE.nodeId(), state.version());

  @Test
  void eachOtherCoordinatorMustHaveAppliedTheVersion() {
    assertThat(change.open(state)).containsExactly(OTHER);
    assertThat(change.answered(OTHER, state.version() - 1)).isFalse();
    assertThat(change.open(state)).containsExactly(OTHER);
    assertThat(change.answered(OTHER, state.version())).isTrue();
    assertThat(change.open(state)).isEmpty();
  }

  @Test
  void aCoordinatorIsNotWaitedForAfterItsRemoval() {
    assertThat(change.open(state.apply(new ClusterEvent.NodeLeft("other", "silent")))).isEmpty();
  }

  @Test
  void theNextProcessOfACoordinatorIsAskedToo() {
    NodeInfo next =
        new NodeInfo(OTHER.nodeId(), OTHER.name(), "other-2", OTHER.roles(), OTHER.url());
    assertThat(change.answered(OTHER, state.version())).isTrue();

    assertThat(change.open(state.apply(new ClusterEvent.NodeJoined(next)))).containsExactly(next);
  }

  @Test
  void nobodyIsWaitedForWhileMembersMayBeUnableToAnswer() {
    ClusterState former =
        Clusters.with(HERE, OTHER)
            .apply(new ClusterEvent.FeatureLevelRaised(Feature.APPLIED_VERSIONS.since() - 1));

    assertThat(new ChangeAcknowledgement("here", former.version()).open(former)).isEmpty();
  }

  @Test
  void aChangeOfAnotherStateHasAVersionOfThatState() {
    long version = state.version() + 7;
    ChangeAcknowledgement other = new ChangeAcknowledgement("here", version, state.version());

    assertThat(other.open(state)).containsExactly(OTHER);
    assertThat(other.answered(OTHER, version - 1)).isFalse();
    assertThat(other.answered(OTHER, version)).isTrue();
    assertThat(other.open(state)).isEmpty();
  }

  @Test
  void theMembersOfAnEarlierStateDecideNothing() {
    ChangeAcknowledgement later = new ChangeAcknowledgement("here", state.version() + 1);

    assertThatThrownBy(() -> later.open(state))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not contain the change of version");
  }
}
