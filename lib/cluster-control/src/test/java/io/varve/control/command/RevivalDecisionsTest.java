package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Revival;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RevivalDecisionsTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  private static ClusterState state(State primary) {
    ClusterState state = ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("test", "uuid"));
    for (String id : List.of("n1", "n2", "n3")) {
      state =
          state.apply(
              new ClusterEvent.NodeJoined(
                  new NodeInfo(id, id, "run", Set.of(NodeInfo.PRIMARY), "http://" + id)));
    }
    return state.apply(
        new ClusterEvent.IndexCreated(
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
                        SHARD,
                        6,
                        List.of(
                            new CopyRouting("p", true, primary, "n1", ""),
                            new CopyRouting("r", false, State.STARTED, "n2", "")))))));
  }

  private static Decision revive(ClusterState state, long lastTerm, String node) {
    return RevivalDecisions.revive(
        state,
        new ClusterCommand.ReviveShard(SHARD, lastTerm, node, new Revival(lastTerm + 1, 40, 5)),
        () -> "new");
  }

  private static ShardRouting revived(String node) {
    ClusterState state = state(State.INITIALIZING);
    Decision.Events decided = (Decision.Events) revive(state, 6, node);
    return state.apply(decided.events().getFirst()).shard(SHARD).orElseThrow();
  }

  @Test
  void thePrimaryItselfContinuesUnderTheTermAfterTheRevival() {
    ShardRouting shard = revived("n1");
    assertThat(shard.primary()).isEqualTo(new CopyRouting("p", true, State.INITIALIZING, "n1", ""));
    assertThat(shard.primaryTerm()).isEqualTo(8);
    assertThat(shard.revival()).isEqualTo(new Revival(7, 40, 5));
    assertThat(shard.replicas())
        .as("it must be rebuilt")
        .extracting(CopyRouting::state)
        .containsExactly(State.UNASSIGNED);
  }

  @Test
  void aReplicaThatIsFurtherOnBecomesThePrimary() {
    ShardRouting shard = revived("n2");
    assertThat(shard.primary().copyId()).isEqualTo("r");
    assertThat(shard.primary().state()).isEqualTo(State.INITIALIZING);
    assertThat(shard.replicas()).extracting(CopyRouting::copyId).containsExactly("p");
    assertThat(shard.replicas()).extracting(CopyRouting::nodeId).containsOnlyNulls();
  }

  @Test
  void theFolderOfAFormerCopyBecomesThePrimary() {
    ShardRouting shard = revived("n3");
    assertThat(shard.primary())
        .isEqualTo(new CopyRouting("new", true, State.INITIALIZING, "n3", ""));
    assertThat(shard.replicas()).extracting(CopyRouting::copyId).containsExactly("r");
  }

  @Test
  void theRevivalIsRememberedUntilAPrimaryOfThatShardHasStarted() {
    ClusterState state = state(State.INITIALIZING);
    Decision.Events decided = (Decision.Events) revive(state, 6, "n1");
    ClusterState revived = state.apply(decided.events().getFirst());
    ClusterState again = revived.apply(new ClusterEvent.PrimaryAssigned(SHARD, "p", "n1", 9));
    assertThat(again.shard(SHARD).orElseThrow().revival()).isNotNull();
    ClusterState late = again.apply(new ClusterEvent.CopyStarted(SHARD, "p", 8));
    assertThat(late.shard(SHARD).orElseThrow().revival()).isNotNull();
    ClusterState started = again.apply(new ClusterEvent.CopyStarted(SHARD, "p", 9));
    assertThat(started.shard(SHARD).orElseThrow().revival()).isNull();
  }

  @Test
  void whatHasChangedSinceTheCopiesWereComparedIsRefused() {
    assertThat(((Decision.Refused) revive(state(State.STARTED), 6, "n1")).error().status())
        .isEqualTo(409);
    assertThat(((Decision.Refused) revive(state(State.INITIALIZING), 5, "n1")).error().status())
        .isEqualTo(409);
    assertThat(((Decision.Refused) revive(state(State.INITIALIZING), 6, "n9")).error().status())
        .isEqualTo(400);
    assertThatThrownBy(() -> revive(ClusterState.EMPTY, 6, "n1")).isInstanceOf(ApiException.class);
  }
}
