package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting.State;
import io.varve.events.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long the routing of a copy states why it was unassigned. */
class CopyReasonTest {

  private static final ShardId SHARD = new ShardId("a-uuid", 0);

  private ClusterState state =
      Clusters.with(Clusters.node("p", NodeInfo.PRIMARY), Clusters.node("r", NodeInfo.REPLICA))
          .apply(new ClusterEvent.IndexCreated(Clusters.index("a", 1, 1)))
          .apply(new ClusterEvent.PrimaryAssigned(SHARD, "c1", "p", 1))
          .apply(new ClusterEvent.ReplicaAssigned(SHARD, "a-0-1", "c2", "r"));

  private CopyRouting after(String copyId, ClusterEvent... events) {
    state = Clusters.apply(state, List.of(events));
    return state.shard(SHARD).orElseThrow().copy(copyId).orElseThrow();
  }

  private static ClusterEvent started(String copyId) {
    return new ClusterEvent.CopyStarted(SHARD, copyId, 1);
  }

  @Test
  void aCopyThatIsBeingOpenedKeepsTheReason() {
    ClusterEvent failed = new ClusterEvent.CopyUnassigned(SHARD, "c2", "ALLOCATION_FAILED: x");
    ClusterEvent assigned = new ClusterEvent.ReplicaAssigned(SHARD, "c2", "c3", "r");

    assertThat(after("c3", failed, assigned).reason()).isEqualTo("ALLOCATION_FAILED: x");
  }

  @Test
  void aStartEndsTheReasonAlsoAfterTheNextRestart() {
    assertThat(after("c1", started("c1")).reason()).isEmpty();
    assertThat(after("c2", started("c2")).reason()).isEmpty();

    CopyRouting reopened =
        after("c2", new ClusterEvent.IndexClosed("a-uuid"), new ClusterEvent.IndexOpened("a-uuid"));

    assertThat(reopened.state()).isEqualTo(State.INITIALIZING);
    assertThat(reopened.reason()).isEmpty();
  }

  @Test
  void aStartThatIsOfAnOlderTermEndsNoReason() {
    CopyRouting primary = after("c1", new ClusterEvent.CopyStarted(SHARD, "c1", 0));

    assertThat(primary.state()).isEqualTo(State.INITIALIZING);
    assertThat(primary.reason()).isNotEmpty();
  }

  @Test
  void theTargetOfARelocationHasNoReasonOnceItsSourceWasStarted() {
    after("c2", started("c1"), started("c2"));
    state = state.apply(new ClusterEvent.RelocationStarted(SHARD, "c2", "c3", "p"));

    assertThat(state.shard(SHARD).orElseThrow().relocations())
        .singleElement()
        .satisfies(moving -> assertThat(moving.target().reason()).isEmpty());
  }
}
