package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how a former leader index becomes a follower of the index that was promoted. */
class FailbackDecisionsTest {

  private static final String SUCCESSOR = ".failback-books";
  private static final ForkPlace PLACE = new ForkPlace(7, 2, 5, 77L, 9, 4);
  private static final Fork FORK = new Fork("east", "books", "books-uuid", Map.of(0, PLACE));

  private final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 7)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  private ClusterState state = ClusterState.EMPTY;

  @BeforeEach
  void aClosedIndex() {
    happen(
        new ClusterEvent.NodeJoined(
            new NodeInfo("n1", "n1", "i", Set.of(NodeInfo.PRIMARY), "http://n1")));
    happen(new ClusterEvent.FeatureLevelRaised(Feature.FAILBACK.since()));
    ShardRouting shard =
        new ShardRouting(
            new ShardId("books-uuid", 0),
            3,
            List.of(new CopyRouting("p", true, CopyRouting.State.STARTED, "n1", "")));
    happen(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                "books-uuid",
                0,
                Map.of(
                    "index.number_of_replicas", "0",
                    "index.refresh_interval", "9s",
                    "index.provided_name", "books",
                    "index.uuid", "books-uuid"),
                4,
                "{}",
                1,
                null,
                List.of(shard),
                IndexMetadata.Access.of(Map.of("library", AliasMetadata.PLAIN)))));
    happen(new ClusterEvent.IndexClosed("books-uuid"));
  }

  private void happen(ClusterEvent event) {
    state = state.apply(event);
  }

  private static ClusterCommand.FailBack failBack(Fork fork) {
    return new ClusterCommand.FailBack(
        "books",
        new ClusterCommand.Follow(
            "west", "copy", "copy-uuid", null, List.of(new FollowOrigin("w", "copy-uuid"))),
        Map.of("index.number_of_shards", "1", "index.max_ngram_diff", "3"),
        "{\"properties\":{\"title\":{\"type\":\"text\"}}}",
        fork);
  }

  private Decision decide(ClusterCommand command) {
    return decisions.decide(state, command, "successor-uuid");
  }

  private void accept(ClusterCommand command) {
    Decision decision = decide(command);
    assertThat(decision).isInstanceOf(Decision.Events.class);
    ((Decision.Events) decision).events().forEach(this::happen);
  }

  private void refused(ClusterCommand command, String reason) {
    assertThat(decide(command)).isInstanceOf(Decision.Refused.class);
    assertThat(((Decision.Refused) decide(command)).error().reason()).contains(reason);
  }

  private void startPrimary() {
    ShardId id = new ShardId("successor-uuid", 0);
    String copyId = state.shard(id).orElseThrow().primary().copyId();
    happen(new ClusterEvent.PrimaryAssigned(id, copyId, "n1", 1));
    happen(new ClusterEvent.CopyStarted(id, copyId, 1));
  }

  @Test
  void theSuccessorFollowsThePromotedIndexAndKnowsTheForks() {
    accept(failBack(FORK));

    IndexMetadata successor = state.indices().get(SUCCESSOR);
    assertThat(successor.hidden()).isTrue();
    assertThat(successor.mapping()).contains("title");
    assertThat(successor.settings())
        .containsEntry("index.max_ngram_diff", "3")
        .containsEntry("index.refresh_interval", "9s");
    FollowRelation follow = successor.follow();
    assertThat(follow.leaderUuid()).isEqualTo("copy-uuid");
    assertThat(follow.origins()).containsExactly(new FollowOrigin("w", "copy-uuid"));
    assertThat(follow.replaces()).contains("books-uuid");
    assertThat(follow.failback()).contains(new Failback("books-uuid", Map.of(0, PLACE)));
    assertThat(state.indices().get("books").closed()).isTrue();
  }

  @Test
  void itTakesNameAndAliasesAndTheFormerIndexIsDeletedInOneEventOnceAllPrimariesAreStarted() {
    accept(failBack(FORK));
    assertThat(FollowerReplacement.due(state)).isEmpty();

    startPrimary();
    List<ClusterCommand.EndReplacement> due = FollowerReplacement.due(state);
    assertThat(due).hasSize(1);
    Decision decision = decide(due.getFirst());
    List<ClusterEvent> events = ((Decision.Events) decision).events();
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().deletedIndexUuids()).containsExactly("books-uuid");
    happen(events.getFirst());

    assertThat(state.indices().keySet()).containsExactly("books");
    IndexMetadata index = state.indices().get("books");
    assertThat(index.uuid()).isEqualTo("successor-uuid");
    assertThat(index.closed()).isFalse();
    assertThat(index.hidden()).isFalse();
    assertThat(index.aliases()).containsKey("library");
    assertThat(index.follow().replaces()).isEmpty();
    assertThat(index.follow().failback()).isPresent();
    assertThat(FollowerReplacement.due(state)).isEmpty();
  }

  @Test
  void anIndexThatIsOpenFollowsOrIsNotTheFormerLeaderIsRefused() {
    refused(
        failBack(new Fork("east", "books", "another-uuid", Map.of(0, PLACE))),
        "[copy] did not follow it");
    refused(
        failBack(new Fork("east", "books", "books-uuid", Map.of())),
        "[copy] has not recorded where its shard [0] left it");
    happen(new ClusterEvent.IndexOpened("books-uuid"));
    refused(failBack(FORK), "index [books] cannot fail back, because it has not been closed");
    happen(
        new ClusterEvent.FollowChanged(
            "books-uuid", new FollowRelation("east", "other", "u", null, 1)));
    refused(failBack(FORK), "it is a follower index");
  }

  @Test
  void aClusterBelowTheFeatureLevelRefuses() {
    ClusterState raised = state;
    state = ClusterState.EMPTY;
    raised.nodes().values().forEach(node -> happen(new ClusterEvent.NodeJoined(node)));
    happen(new ClusterEvent.IndexCreated(raised.indices().get("books")));

    refused(failBack(FORK), "the feature level of the cluster must be raised first");
  }

  @Test
  void theFormerIndexCannotBeOpenedUntilTheSuccessorIsDeleted() {
    accept(failBack(FORK));
    ClusterCommand open = new ClusterCommand.OpenIndices(List.of("books"));

    refused(open, "delete [.failback-books] to cancel the failback");
    refused(failBack(FORK), "it already fails back");
    accept(new ClusterCommand.DeleteIndices(List.of(SUCCESSOR)));
    accept(open);

    assertThat(state.indices().get("books").closed()).isFalse();
  }

  @Test
  void aSuccessorWhoseFormerIndexIsDeletedIsDeleted() {
    accept(failBack(FORK));
    happen(new ClusterEvent.IndexDeleted("books-uuid"));

    FollowerReplacement.due(state).forEach(this::accept);

    assertThat(state.indices()).isEmpty();
  }
}
