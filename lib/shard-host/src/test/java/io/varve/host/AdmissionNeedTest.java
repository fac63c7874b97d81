package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A shard with a primary on the node {@code p} and replicas on {@code r} and {@code s}. */
class AdmissionNeedTest {

  private static final ShardId SHARD = new ShardId("uuid-of-books", 0);

  private ClusterState state = started();

  private static ClusterState started() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.ClusterFormed("test", "uuid-of-test"))
            .apply(new ClusterEvent.IndexCreated(books()))
            .apply(new ClusterEvent.PrimaryAssigned(SHARD, "copy-p", "p", 3))
            .apply(new ClusterEvent.ReplicaAssigned(SHARD, "copy-1", "copy-r", "r"))
            .apply(new ClusterEvent.ReplicaAssigned(SHARD, "copy-2", "copy-s", "s"));
    for (String node : List.of("p", "r", "s")) {
      state = state.apply(new ClusterEvent.NodeJoined(node(node)));
    }
    for (String copy : List.of("copy-p", "copy-r", "copy-s")) {
      state = state.apply(new ClusterEvent.CopyStarted(SHARD, copy, 3));
    }
    return state;
  }

  private static NodeInfo node(String id) {
    return new NodeInfo(id, id, "run-1", Set.of(NodeInfo.PRIMARY), "http://" + id);
  }

  private static IndexMetadata books() {
    ShardRouting unassigned =
        new ShardRouting(
            SHARD,
            0,
            List.of(
                CopyRouting.unassigned("copy-0", true, "INDEX_CREATED"),
                CopyRouting.unassigned("copy-1", false, "INDEX_CREATED"),
                CopyRouting.unassigned("copy-2", false, "INDEX_CREATED")));
    return new IndexMetadata(
        "books", SHARD.indexUuid(), 0, Map.of(), 1, "{}", 1, null, List.of(unassigned));
  }

  private AdmissionNeed need() {
    return AdmissionNeed.of(state, SHARD, "copy-r");
  }

  @Test
  void thePresentPrimaryAdmitsAReplica() {
    assertThat(need()).isEqualTo(new AdmissionNeed.Of(node("p")));

    state =
        state
            .apply(new ClusterEvent.ReplicaPromoted(SHARD, "copy-s", 4, "test"))
            .apply(new ClusterEvent.CopyStarted(SHARD, "copy-s", 4));

    assertThat(need()).isEqualTo(new AdmissionNeed.Of(node("s")));
  }

  /** Its proof may still be under way when the copy is promoted. */
  @Test
  void aPromotedReplicaDoesNotAdmitItself() {
    state = state.apply(new ClusterEvent.ReplicaPromoted(SHARD, "copy-r", 4, "test"));

    assertThat(need()).isEqualTo(new AdmissionNeed.Unreachable());
  }

  @Test
  void aPrimaryWhoseNodeLeftAdmitsNothing() {
    state = state.apply(new ClusterEvent.NodeLeft("p", "test"));

    assertThat(need()).isEqualTo(new AdmissionNeed.Unreachable());
  }

  @Test
  void aCopyNeedsNoAdmissionIfNoOtherCopyServes() {
    state =
        state
            .apply(new ClusterEvent.NodeLeft("p", "test"))
            .apply(new ClusterEvent.NodeLeft("s", "test"));

    assertThat(need()).isEqualTo(new AdmissionNeed.None());
  }
}
