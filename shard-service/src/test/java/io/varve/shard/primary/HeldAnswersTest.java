package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.FolderPosition;
import io.varve.shard.primary.HeldAnswers.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Which copies a primary asks what they hold, and what follows from their answers. */
class HeldAnswersTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);
  private static final long REVIVED_TERM = 4;

  private static final CopyRouting PRIMARY = copy("c1", true, "n1", false);
  private static final CopyRouting REPLICA = copy("c2", false, "n2", false);
  private static final CopyRouting THIRD = copy("c3", false, "n3", false);
  private static final CopyRouting SEARCH_ONLY = copy("c4", false, "n2", true);

  private final HeldAnswers answers = new HeldAnswers(SHARD, "c1", REVIVED_TERM);

  private static CopyRouting copy(
      String copyId, boolean primary, String nodeId, boolean searchOnly) {
    return new CopyRouting(copyId, primary, CopyRouting.State.INITIALIZING, nodeId, "", searchOnly);
  }

  private static ClusterState state(UnaryOperator<ShardRouting> change, String... nodeIds) {
    ShardRouting shard =
        change.apply(new ShardRouting(SHARD, 5, List.of(PRIMARY, REPLICA, THIRD, SEARCH_ONLY)));
    IndexMetadata index =
        new IndexMetadata(
            "books", SHARD.indexUuid(), 0, Map.of(), 1, "{}", 1, null, List.of(shard));
    ClusterState state = ClusterState.EMPTY.apply(new ClusterEvent.IndexCreated(index));
    for (String nodeId : nodeIds) {
      state =
          state.apply(
              new ClusterEvent.NodeJoined(
                  new NodeInfo(
                      nodeId, nodeId, nodeId + "-1", Set.of(), "http://" + nodeId, Map.of())));
    }
    return state;
  }

  private static ClusterState members(String... nodeIds) {
    return state(UnaryOperator.identity(), nodeIds);
  }

  private static FolderPosition holding(long nextSeqNo, long fenceTerm) {
    return new FolderPosition(true, nextSeqNo, fenceTerm, true, null);
  }

  @Test
  void theOtherCopiesOfMembersAreAskedExceptThoseThatOnlySearch() {
    assertThat(answers.unanswered(members("n1", "n2", "n3"))).containsExactly(REPLICA, THIRD);
    assertThat(answers.unanswered(members("n1", "n3"))).containsExactly(THIRD);
    assertThat(answers.unanswered(ClusterState.EMPTY)).isEmpty();
  }

  @Test
  void noneIsAskedIfNoPrimaryWasEverStarted() {
    assertThat(answers.unanswered(state(ShardRouting::asNeverStarted, "n1", "n2", "n3"))).isEmpty();
  }

  @Test
  void aCopyIsAskedUntilItAnswersAndTheLargestSeqNoCounts() {
    ClusterState state = members("n1", "n2", "n3");

    assertThat(answers.nextSeqNo()).isZero();
    assertThat(answers.answered(REPLICA, holding(7, 4))).isEqualTo(new Outcome.Held());
    assertThat(answers.unanswered(state)).containsExactly(THIRD);
    assertThat(answers.answered(THIRD, holding(5, 5))).isEqualTo(new Outcome.Held());
    assertThat(answers.unanswered(state)).isEmpty();
    assertThat(answers.nextSeqNo()).isEqualTo(7);
  }

  @Test
  void anEmptyFolderHoldsNothing() {
    assertThat(answers.answered(REPLICA, FolderPosition.EMPTY)).isEqualTo(new Outcome.Held());
    assertThat(answers.nextSeqNo()).isZero();
  }

  @Test
  void aLogThatLostWhatACopyHoldsIsRefusedAndTheCopyIsAskedAgain() {
    assertThat(
            answers.answered(REPLICA, new FolderPosition(true, 7, 4, false, "it ends at offset 3")))
        .isEqualTo(
            new Outcome.LostByLog("copy c2 on node n2 holds what it lacks: it ends at offset 3"));
    assertThat(answers.unanswered(members("n2"))).containsExactly(REPLICA);
  }

  @Test
  void whatACopyHeldBeforeTheShardWasRevivedIsGivenUp() {
    assertThat(
            answers.answered(
                REPLICA, new FolderPosition(true, 70, 3, false, "it ends at offset 3")))
        .isEqualTo(new Outcome.Held());
    assertThat(answers.answered(THIRD, holding(60, 3))).isEqualTo(new Outcome.Held());
    assertThat(answers.nextSeqNo()).isZero();
  }
}
