package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how a successor replaces a follower that lost its leader's history. */
class FollowerReplacementTest {

  private static final String SUCCESSOR = ".rebootstrap-copy";

  private static final ClusterCommand.ReplaceFollower LOST =
      new ClusterCommand.ReplaceFollower(
          new ClusterCalls.LostHistory(
              "copy-uuid",
              "new-leader-uuid",
              Map.of(
                  "index.number_of_shards",
                  "2",
                  "index.max_ngram_diff",
                  "3",
                  "index.number_of_replicas",
                  "5"),
              "{\"properties\":{\"title\":{\"type\":\"text\"}}}",
              "the log begins at offset 9"));

  private final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 7)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  private ClusterState state = ClusterState.EMPTY;

  @BeforeEach
  void aFollower() {
    happen(
        new ClusterEvent.NodeJoined(
            new NodeInfo("n1", "n1", "i", Set.of(NodeInfo.PRIMARY), "http://n1")));
    ShardRouting shard =
        new ShardRouting(
            new ShardId("copy-uuid", 0),
            3,
            List.of(new CopyRouting("p", true, CopyRouting.State.STARTED, "n1", "")));
    happen(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "copy",
                "copy-uuid",
                0,
                Map.of(
                    "index.number_of_replicas", "0",
                    "index.refresh_interval", "9s",
                    "index.max_ngram_diff", "2",
                    "index.provided_name", "copy",
                    "index.uuid", "copy-uuid"),
                4,
                "{}",
                1,
                new FollowRelation("eu", "books", "leader-uuid", "n1", 3),
                List.of(shard),
                IndexMetadata.Access.of(Map.of("library", AliasMetadata.PLAIN)))));
    happen(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
  }

  private void happen(ClusterEvent event) {
    state = state.apply(event);
  }

  private List<ClusterEvent> accept(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "successor-uuid");
    assertThat(decision).isInstanceOf(Decision.Events.class);
    List<ClusterEvent> events = ((Decision.Events) decision).events();
    events.forEach(this::happen);
    return events;
  }

  private ErrorBody refuse(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "successor-uuid");
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return ((Decision.Refused) decision).error();
  }

  private void start(int shard) {
    ShardId id = new ShardId("successor-uuid", shard);
    String copyId = state.shard(id).orElseThrow().primary().copyId();
    happen(new ClusterEvent.PrimaryAssigned(id, copyId, "n1", 1));
    happen(new ClusterEvent.CopyStarted(id, copyId, 1));
  }

  @Test
  void theSuccessorIsHiddenAndGetsTheLeadersMetadataAndTheFollowersOwnSettings() {
    accept(LOST);

    IndexMetadata successor = state.indices().get(SUCCESSOR);
    assertThat(successor.uuid()).isEqualTo("successor-uuid");
    assertThat(successor.hidden()).isTrue();
    assertThat(successor.numberOfShards()).isEqualTo(2);
    assertThat(successor.mapping()).contains("title");
    assertThat(successor.aliases()).isEmpty();
    assertThat(successor.settings())
        .containsEntry("index.max_ngram_diff", "3")
        .containsEntry("index.number_of_replicas", "0")
        .containsEntry("index.refresh_interval", "9s");
    assertThat(successor.follow().leaderUuid()).isEqualTo("new-leader-uuid");
    assertThat(successor.follow().replaces()).contains("copy-uuid");
    assertThat(state.indices()).containsKey("copy");
  }

  @Test
  void itTakesNameAndAliasesInOneEventOnceAllItsPrimariesAreStarted() {
    accept(LOST);
    assertThat(FollowerReplacement.due(state)).isEmpty();
    start(0);
    assertThat(FollowerReplacement.due(state)).isEmpty();
    start(1);
    ClusterCommand end = new ClusterCommand.EndReplacement("successor-uuid");
    assertThat(FollowerReplacement.due(state)).isEqualTo(List.of(end));

    List<ClusterEvent> events = accept(end);

    assertThat(events)
        .containsExactly(new ClusterEvent.FollowerReplaced("copy-uuid", "successor-uuid"));
    assertThat(state.indices()).containsOnlyKeys("copy", SUCCESSOR);
    IndexMetadata copy = state.indices().get("copy");
    assertThat(copy.uuid()).isEqualTo("successor-uuid");
    assertThat(copy.hidden()).isFalse();
    assertThat(copy.settings()).containsEntry("index.provided_name", "copy");
    assertThat(copy.aliases()).containsOnlyKeys("library");
    assertThat(copy.follow().replaces()).isEmpty();
    assertThat(copy.follow().rebootstraps()).isEqualTo(1);
    assertThat(accept(end)).as("once more changes nothing").isEmpty();
  }

  @Test
  void theFormerFollowerIsHiddenAndStaysUntilItsSearchesHaveEnded() {
    accept(LOST);
    start(0);
    start(1);
    assertThat(FollowerReplacement.replaced(state)).isEmpty();
    accept(new ClusterCommand.EndReplacement("successor-uuid"));
    IndexMetadata former = state.indices().get(SUCCESSOR);
    assertThat(former.uuid()).isEqualTo("copy-uuid");
    assertThat(former.hidden()).isTrue();
    assertThat(former.aliases()).isEmpty();
    assertThat(former.follow().paused()).isTrue();
    assertThat(FollowerReplacement.due(state)).isEmpty();
    ClusterCommand.EndReplacement end = new ClusterCommand.EndReplacement("copy-uuid");
    assertThat(FollowerReplacement.replaced(state)).containsExactly(end);

    assertThat(accept(end)).containsExactly(new ClusterEvent.IndexDeleted("copy-uuid"));
    assertThat(state.indices()).containsOnlyKeys("copy");
  }

  @Test
  void eachLossCounts() {
    accept(LOST);
    start(0);
    start(1);
    accept(new ClusterCommand.EndReplacement("successor-uuid"));
    accept(new ClusterCommand.EndReplacement("copy-uuid"));
    ClusterCalls.LostHistory again =
        new ClusterCalls.LostHistory(
            "successor-uuid",
            "new-leader-uuid",
            LOST.news().leaderSettings(),
            LOST.news().leaderMapping(),
            "");

    Decision decision =
        decisions.decide(state, new ClusterCommand.ReplaceFollower(again), "third-uuid");

    ((Decision.Events) decision).events().forEach(this::happen);
    assertThat(state.index("third-uuid").orElseThrow().follow().rebootstraps()).isEqualTo(2);
  }

  @Test
  void thereIsOneSuccessorAtATime() {
    accept(LOST);

    assertThat(refuse(LOST).type()).isEqualTo("resource_already_exists_exception");
  }

  @Test
  void aPausedOrClosedFollowerIsReplacedOnceItIsActiveAgain() {
    accept(LOST);
    start(0);
    start(1);
    accept(new ClusterCommand.PauseFollow("copy"));
    assertThat(FollowerReplacement.due(state)).isEmpty();
    assertThat(accept(new ClusterCommand.EndReplacement("successor-uuid"))).isEmpty();
    accept(new ClusterCommand.ResumeFollow("copy", null));
    happen(new ClusterEvent.IndexClosed("copy-uuid"));
    assertThat(FollowerReplacement.due(state)).isEmpty();

    happen(new ClusterEvent.IndexOpened("copy-uuid"));

    assertThat(FollowerReplacement.due(state)).hasSize(1);
  }

  @Test
  void aSuccessorWhoseFollowerIsGoneIsDeleted() {
    accept(LOST);
    happen(new ClusterEvent.IndexDeleted("copy-uuid"));

    assertThat(FollowerReplacement.due(state)).hasSize(1);
    assertThat(accept(new ClusterCommand.EndReplacement("successor-uuid")))
        .containsExactly(new ClusterEvent.IndexDeleted("successor-uuid"));
  }

  @Test
  void aSuccessorWhoseFollowerFollowsNoMoreIsDeleted() {
    accept(LOST);
    happen(new ClusterEvent.FollowChanged("copy-uuid", null));

    assertThat(accept(new ClusterCommand.EndReplacement("successor-uuid")))
        .containsExactly(new ClusterEvent.IndexDeleted("successor-uuid"));
  }

  @Test
  void aPausedFollowerAndARegularIndexGetNoSuccessor() {
    accept(new ClusterCommand.PauseFollow("copy"));
    assertThat(refuse(LOST).type()).isEqualTo("illegal_argument_exception");
    happen(new ClusterEvent.FollowChanged("copy-uuid", null));
    assertThat(refuse(LOST).type()).isEqualTo("illegal_argument_exception");
  }

  @Test
  void theAliasesOfTheLeaderGoToTheFollowerUntilItIsReplaced() {
    accept(LOST);
    ClusterState leaders =
        ClusterState.EMPTY.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    "books",
                    "new-leader-uuid",
                    0,
                    Map.of("index.max_ngram_diff", "3"),
                    1,
                    "{}",
                    1,
                    null,
                    List.of(
                        new ShardRouting(
                            new ShardId("new-leader-uuid", 0),
                            1,
                            List.of(CopyRouting.unassigned("l", true, "new")))),
                    IndexMetadata.Access.of(Map.of("shelf", AliasMetadata.PLAIN)))));

    assertThat(FollowerMetadata.updates(state, "eu", leaders))
        .allSatisfy(update -> assertThat(update.aliases()).isEmpty());
  }

  @Test
  void aSuccessorThatLosesItsHistoryTooIsReplacedByAnotherOne() {
    accept(LOST);

    List<ClusterEvent> events = acceptAs("third-uuid", lost("successor-uuid", "new-leader-uuid"));

    assertThat(events.getFirst()).isEqualTo(new ClusterEvent.IndexDeleted("successor-uuid"));
    IndexMetadata third = state.indices().get(SUCCESSOR);
    assertThat(third.uuid()).isEqualTo("third-uuid");
    assertThat(third.follow().replaces()).contains("copy-uuid");
  }

  @Test
  void aSuccessorOfALeaderIndexThatWasCreatedAgainIsReplaced() {
    accept(LOST);
    assertThat(refuse(lost("copy-uuid", "new-leader-uuid")).type())
        .isEqualTo("resource_already_exists_exception");

    acceptAs("third-uuid", lost("copy-uuid", "third-leader-uuid"));

    assertThat(state.indices().get(SUCCESSOR).follow().leaderUuid()).isEqualTo("third-leader-uuid");
  }

  @Test
  void settingsAndParametersThatUsersChangeMeanwhileStay() {
    accept(LOST);
    happen(
        new ClusterEvent.IndexSettingsChanged(
            "copy-uuid",
            5,
            Map.of("index.number_of_replicas", "2", "index.refresh_interval", "1s")));
    FollowRelation follow = state.indices().get("copy").follow();
    FollowParameters small = new FollowParameters(7, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    happen(new ClusterEvent.FollowChanged("copy-uuid", follow.asPaused()));
    happen(new ClusterEvent.FollowChanged("copy-uuid", follow.resumed(small)));
    start(0);
    start(1);
    FollowerReplacement.due(state).forEach(this::accept);

    IndexMetadata index = state.indices().get("copy");
    assertThat(index.uuid()).isEqualTo("successor-uuid");
    assertThat(index.settings())
        .containsEntry("index.number_of_replicas", "2")
        .containsEntry("index.refresh_interval", "1s")
        .containsEntry("index.max_ngram_diff", "3")
        .containsEntry("index.uuid", "successor-uuid");
    assertThat(index.follow().parameters()).isEqualTo(small);
  }

  private static ClusterCommand.ReplaceFollower lost(String index, String leaderUuid) {
    return new ClusterCommand.ReplaceFollower(
        new ClusterCalls.LostHistory(
            index, leaderUuid, Map.of("index.number_of_shards", "2"), "{}", "lost"));
  }

  private List<ClusterEvent> acceptAs(String uuid, ClusterCommand command) {
    Decision decision = decisions.decide(state, command, uuid);
    assertThat(decision).isInstanceOf(Decision.Events.class);
    List<ClusterEvent> events = ((Decision.Events) decision).events();
    events.forEach(this::happen);
    return events;
  }
}
