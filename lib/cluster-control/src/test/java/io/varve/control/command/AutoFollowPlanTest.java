package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Replacement;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.AutoFollowPlan.Step;
import io.varve.events.FeatureLevels;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which indices the patterns follow, and how the cluster state records this. */
class AutoFollowPlanTest {

  private final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 0)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  private ClusterState leaders =
      ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("east", "east-uuid"));
  private ClusterState own =
      ClusterState.EMPTY
          .apply(new ClusterEvent.ClusterFormed("here", "here-uuid"))
          .apply(new ClusterEvent.FeatureLevelRaised(FeatureLevels.NEWEST));

  private void leader(String name) {
    leader(name, CopyRouting.State.STARTED, null);
  }

  private void leader(String name, CopyRouting.State primary, @Nullable FollowRelation follow) {
    ShardRouting shard =
        new ShardRouting(
            new ShardId(name + "-uuid", 0),
            3,
            List.of(new CopyRouting(name + "-p", true, primary, "n1", "")));
    leaders =
        leaders.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    name,
                    name + "-uuid",
                    0,
                    Map.of("index.number_of_replicas", "0", "index.number_of_shards", "1"),
                    1,
                    "{}",
                    1,
                    follow,
                    List.of(shard))));
  }

  private static AutoFollowPattern pattern(String leaderPattern, String... handled) {
    return new AutoFollowPattern(
        "east",
        List.of(leaderPattern),
        List.of("*-private"),
        "{{leader_index}}-copy",
        Map.of("index.number_of_replicas", "2"),
        FollowParameters.DEFAULTS,
        true,
        Set.of(handled));
  }

  private Decision decide(ClusterCommand command) {
    Decision decision = decisions.decide(own, command, command.toString());
    if (decision instanceof Decision.Events(List<ClusterEvent> events)) {
      events.forEach(event -> own = own.apply(event));
    }
    return decision;
  }

  private void put(String name, AutoFollowPattern pattern) {
    decide(new ClusterCommand.PutAutoFollow(name, pattern));
  }

  private List<Step> steps() {
    return AutoFollowPlan.steps(own, "east", leaders);
  }

  private AutoFollowPattern stored(String name) {
    return Objects.requireNonNull(own.autoFollow().get(name));
  }

  private List<String> followed() {
    return steps().stream()
        .filter(Step.Follow.class::isInstance)
        .map(step -> ((Step.Follow) step).command().name())
        .toList();
  }

  @Test
  void newIndicesThatMatchAreFollowedByTheNameWithTheSettingsAndTheParametersOfThePattern() {
    leader("logs-1");
    leader("logs-private");
    leader("other");
    put("logs", pattern("logs-*"));

    assertThat(steps()).hasSize(1);
    Step.Follow follow = (Step.Follow) steps().getFirst();
    assertThat(follow.pattern()).isEqualTo("logs");
    assertThat(follow.leader().name()).isEqualTo("logs-1");
    assertThat(follow.command().name()).isEqualTo("logs-1-copy");
    assertThat(follow.command().settings())
        .containsEntry("index.number_of_replicas", "2")
        .containsEntry("index.number_of_shards", "1");
    assertThat(follow.command().follow())
        .isEqualTo(
            new ClusterCommand.Follow(
                "east",
                "logs-1",
                "logs-1-uuid",
                FollowParameters.DEFAULTS,
                List.of(new FollowOrigin("east-uuid", "logs-1-uuid"))));
  }

  @Test
  void indicesThatExistedBeforeThePatternAreNotFollowed() {
    leader("logs-1");
    put("logs", pattern("logs-*", "logs-1-uuid"));
    leader("logs-2");

    assertThat(followed()).containsExactly("logs-2-copy");
  }

  @Test
  void aFollowerThatExistsIsRecordedAndNotCreatedAgain() {
    leader("logs-1");
    put("logs", pattern("logs-*"));

    decide(((Step.Follow) steps().getFirst()).command());
    // The leading coordinator fails before it has recorded the follower.
    assertThat(steps())
        .containsExactly(new Step.Handled("logs", List.of("logs-1-uuid"), List.of()));
    decide(((Step.Handled) steps().getFirst()).command());

    assertThat(steps()).isEmpty();
    assertThat(stored("logs").handled()).containsExactly("logs-1-uuid");
    decide(new ClusterCommand.DeleteIndices(List.of("logs-1-copy")));
    assertThat(steps()).as("a user has deleted the follower").isEmpty();
  }

  @Test
  void aRecordEndsWithTheLeaderIndex() {
    put("logs", pattern("logs-*", "gone-uuid"));

    assertThat(steps()).containsExactly(new Step.Handled("logs", List.of(), List.of("gone-uuid")));
  }

  @Test
  void anIndexThatTwoPatternsMatchIsReportedByBothAndNotFollowed() {
    leader("logs-1");
    put("logs", pattern("logs-*"));
    put("ones", pattern("*-1"));

    assertThat(steps()).extracting(Step::pattern).containsExactly("logs", "ones");
    assertThat(steps().getFirst())
        .isEqualTo(
            new Step.Refused(
                "logs",
                "logs-1",
                ErrorBody.of(
                    500,
                    "exception",
                    "index to follow [logs-1] for pattern [logs] matches with other patterns"
                        + " [ones]")));

    decide(new ClusterCommand.ActivateAutoFollow("ones", false));
    assertThat(followed())
        .as("only active patterns are in conflict")
        .containsExactly("logs-1-copy");
  }

  @Test
  void aPausedPatternFollowsNothingUntilItIsResumed() {
    put("logs", pattern("logs-*"));
    decide(new ClusterCommand.ActivateAutoFollow("logs", false));
    leader("logs-1");
    leader("logs-2");
    leaders = leaders.apply(new ClusterEvent.IndexDeleted("logs-2-uuid"));
    leader("logs-3");
    leaders = leaders.apply(new ClusterEvent.IndexClosed("logs-3-uuid"));
    assertThat(steps()).isEmpty();

    decide(new ClusterCommand.ActivateAutoFollow("logs", true));

    assertThat(followed()).containsExactly("logs-1-copy");
  }

  @Test
  void anIndexIsFollowedOnceItsPrimariesAreStarted() {
    put("logs", pattern("logs-*"));
    leader("logs-1", CopyRouting.State.INITIALIZING, null);
    assertThat(steps()).isEmpty();

    leaders =
        leaders.apply(new ClusterEvent.CopyStarted(new ShardId("logs-1-uuid", 0), "logs-1-p", 3));

    assertThat(followed()).containsExactly("logs-1-copy");
  }

  @Test
  void whatComesFromHereIsNotFollowed() {
    put("all", pattern("*"));
    leader("mine", CopyRouting.State.STARTED, follow(List.of(new FollowOrigin("here-uuid", "u"))));
    leader(
        "far",
        CopyRouting.State.STARTED,
        follow(List.of(new FollowOrigin("west-uuid", "w"), new FollowOrigin("here-uuid", "u"))));
    leader(
        "theirs", CopyRouting.State.STARTED, follow(List.of(new FollowOrigin("west-uuid", "w"))));

    assertThat(followed()).containsExactly("theirs-copy");
    Step.Follow chained = (Step.Follow) steps().getFirst();
    assertThat(Objects.requireNonNull(chained.command().follow()).origins())
        .containsExactly(
            new FollowOrigin("east-uuid", "theirs-uuid"), new FollowOrigin("west-uuid", "w"));
    assertThat(FollowerIndex.refusedLoop(own, Objects.requireNonNull(leaders.indices().get("far"))))
        .hasValue(
            ErrorBody.illegalArgument(
                "cannot follow [far], because it follows an index of this cluster [here]"));
  }

  private static FollowRelation follow(List<FollowOrigin> origins) {
    return new FollowRelation("there", "x", "u", null, 0, null, false, origins);
  }

  @Test
  void patternsOfOtherClustersAreLeftAlone() {
    leader("logs-1");
    put("logs", pattern("logs-*"));

    assertThat(AutoFollowPlan.steps(own, "west", leaders)).isEmpty();
  }

  @Test
  void aPatternThatIsPutAgainKeepsWhatItHasHandledAndIsActive() {
    put("logs", pattern("logs-*", "u1"));
    decide(new ClusterCommand.ActivateAutoFollow("logs", false));

    put("logs", pattern("logs-2*", "u2"));

    assertThat(stored("logs").leaderPatterns()).containsExactly("logs-2*");
    assertThat(stored("logs").active()).isTrue();
    assertThat(stored("logs").handled()).containsExactly("u1", "u2");
    assertThat(decide(new ClusterCommand.PutAutoFollow("logs", pattern("logs-2*"))))
        .isEqualTo(Decision.nothing());
  }

  @Test
  void existingIndicesAreFollowedByAPatternThatIsPutAgainExceptThoseThatAreFollowed() {
    put("logs", pattern("logs-*", "followed-uuid", "deleted-uuid"));
    FollowRelation follow = new FollowRelation("east", "followed", "followed-uuid", null, 1);
    own =
        own.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    "copy",
                    "copy-uuid",
                    0,
                    Map.of(),
                    1,
                    "{}",
                    1,
                    follow,
                    List.of(new ShardRouting(new ShardId("copy-uuid", 0), 0, List.of())))));

    decide(new ClusterCommand.PutAutoFollow("logs", pattern("logs-*"), true));

    assertThat(stored("logs").handled()).containsExactly("followed-uuid");
  }

  @Test
  void anIndexThatReplacesAFollowerIsNotFollowed() {
    put("all", pattern("*"));
    leader(
        "successor",
        CopyRouting.State.STARTED,
        Replacement.begin("u", follow(List.of(new FollowOrigin("west-uuid", "w"))), "l"));

    assertThat(steps()).isEmpty();
  }

  @Test
  void aPatternThatDoesNotExistIsNotChanged() {
    ErrorBody missing =
        ErrorBody.of(404, "resource_not_found_exception", "auto-follow pattern [no] is missing");

    assertThat(decide(new ClusterCommand.DeleteAutoFollow("no")))
        .isEqualTo(new Decision.Refused(missing));
    assertThat(decide(new ClusterCommand.ActivateAutoFollow("no", true)))
        .isEqualTo(new Decision.Refused(missing));
    assertThat(decide(new ClusterCommand.HandleAutoFollow("no", List.of("u"), List.of())))
        .isEqualTo(Decision.nothing());
  }

  @Test
  void aDeletedPatternIsGone() {
    put("logs", pattern("logs-*"));

    decide(new ClusterCommand.DeleteAutoFollow("logs"));

    assertThat(own.autoFollow()).isEqualTo(new HashMap<>());
  }
}
