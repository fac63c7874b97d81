package io.varve.shard.replicated;

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

class MembersTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  private static CopyRouting copy(String id, boolean primary, String node, boolean started) {
    CopyRouting assigned = CopyRouting.unassigned(id, primary, "NEW").assignedTo(id, node);
    return started ? assigned.in(CopyRouting.State.STARTED) : assigned;
  }

  private static ClusterState state(boolean primaryStarted) {
    ClusterState state = ClusterState.EMPTY;
    for (String node : List.of("n1", "n2", "n3")) {
      state =
          state.apply(
              new ClusterEvent.NodeJoined(
                  new NodeInfo(node, node, node + "-run", Set.of(NodeInfo.REPLICA), "http://x")));
    }
    List<CopyRouting> copies =
        List.of(
            copy("p", true, "n1", primaryStarted),
            copy("a", false, "n2", true),
            copy("b", false, "n3", false),
            copy("lost", false, "gone", true),
            CopyRouting.unassigned("c", false, "NEW"),
            CopyRouting.unassignedForSearch("s", "NEW").assignedTo("s", "n3"));
    return state.apply(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                SHARD.indexUuid(),
                0,
                Map.of(),
                1,
                "{}",
                1,
                null,
                List.of(new ShardRouting(SHARD, 7, copies)))));
  }

  @Test
  void startedWriteCopiesMustHoldWhatIsRead() {
    Members members = Members.of(state(true), SHARD, "p", 7);
    assertThat(members.named()).isTrue();
    assertThat(members.started()).containsOnly(new Member("a", "n2-run"), new Member("lost", ""));
    assertThat(members.assigned())
        .containsOnly(new Member("a", "n2-run"), new Member("b", "n3-run"), new Member("lost", ""));
  }

  @Test
  void aPrimaryOfAnotherTermOrCopyOrThatIsNotStartedIsNotNamed() {
    assertThat(Members.of(state(true), SHARD, "p", 6).named()).isFalse();
    assertThat(Members.of(state(true), SHARD, "a", 7).named()).isFalse();
    assertThat(Members.of(state(false), SHARD, "p", 7).named()).isFalse();
    assertThat(Members.of(ClusterState.EMPTY, SHARD, "p", 7).named()).isFalse();
  }
}
