package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which operations a follower index permits, and when it becomes a regular index. */
class FollowDecisionsTest {

  private static final FollowParameters SMALL =
      new FollowParameters(7, 1 << 10, 1, 7, 1 << 10, 1, 70, 1 << 20, 100, 1_000);

  private final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 0)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  private ClusterState state = ClusterState.EMPTY;

  @BeforeEach
  void aFollowerAndARegularIndex() {
    create("copy", new FollowRelation("eu", "books", "leader-uuid", "n1", 3));
    create("plain", null);
  }

  private void create(String name, @Nullable FollowRelation follow) {
    ShardRouting shard =
        new ShardRouting(
            new ShardId(name + "-uuid", 0),
            3,
            List.of(new CopyRouting(name + "-p", true, CopyRouting.State.STARTED, "n1", "")));
    state =
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    name,
                    name + "-uuid",
                    0,
                    Map.of("index.number_of_replicas", "0"),
                    1,
                    "{}",
                    1,
                    follow,
                    List.of(shard),
                    IndexMetadata.Access.of(Map.of("library", AliasMetadata.PLAIN)))));
  }

  private List<ClusterEvent> accept(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "created-" + state.version());
    assertThat(decision).isInstanceOf(Decision.Events.class);
    List<ClusterEvent> events = ((Decision.Events) decision).events();
    events.forEach(event -> state = state.apply(event));
    return events;
  }

  private ErrorBody refuse(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "created-" + state.version());
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return ((Decision.Refused) decision).error();
  }

  private void assertIllegal(ClusterCommand command, String reason) {
    assertThat(refuse(command)).isEqualTo(ErrorBody.illegalArgument(reason));
  }

  private void assertForbidden(ClusterCommand command, String reason) {
    assertThat(refuse(command)).isEqualTo(ErrorBody.of(403, "status_exception", reason));
  }

  private FollowRelation follow() {
    return state.indices().get("copy").follow();
  }

  private static ClusterCommand update(String name, @Nullable String value, String... indices) {
    Map<String, @Nullable String> changes = new HashMap<>();
    changes.put(name, value);
    return new ClusterCommand.UpdateIndexSettings(List.of(indices), changes, false);
  }

  private static ClusterCommand alias(AliasChange.Kind kind, String index, String alias) {
    return new ClusterCommand.UpdateAliases(
        List.of(new AliasChange(kind, List.of(index), List.of(alias), AliasMetadata.PLAIN, null)));
  }

  @Test
  void usersCannotPutAMappingToAFollower() {
    assertForbidden(
        new ClusterCommand.PutMapping(
            List.of("plain", "copy"), "{\"properties\":{\"a\":{\"type\":\"long\"}}}"),
        "can't put mapping to the following indices [copy]; the mapping of the following indices"
            + " are self-replicated from its leader indices");
  }

  private Decision follow(String tokenizer) {
    return follow("films", tokenizer);
  }

  private Decision follow(String follower, String tokenizer) {
    IndexMetadata leader =
        new IndexMetadata(
            "films",
            "films-uuid",
            0,
            Map.of("index.analysis.analyzer.whole.tokenizer", tokenizer),
            1,
            "{\"properties\":{\"title\":{\"type\":\"text\",\"analyzer\":\"whole\"}}}",
            1,
            null,
            state.indices().get("plain").shards());
    return decisions.decide(
        state, FollowerIndex.create(follower, "eu", "eu-uuid", leader, Map.of(), null), "uuid");
  }

  @ParameterizedTest
  @CsvSource({
    "copy, resource_already_exists_exception",
    "plain, resource_already_exists_exception",
    "library, invalid_index_name_exception"
  })
  void aNameThatAnIndexOrAnAliasHasIsRefused(String taken, String type) {
    assertThat(follow(taken, "keyword"))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(400);
              assertThat(refused.error().type()).isEqualTo(type);
              assertThat(refused.error().reason()).contains(taken);
            });
  }

  @Test
  void aLeaderWithAnAnalyzerThatIsNotKnownHereIsRefusedByNameAndFollowedOnceItIs() {
    assertThat(follow("of_a_newer_release"))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> assertThat(refused.error().reason()).contains("[of_a_newer_release]"));

    assertThat(follow("keyword")).isInstanceOf(Decision.Events.class);
  }

  @Test
  void fieldsOfTheLeadersOperationsAreAddedToAFollower() {
    assertThat(
            accept(
                new ClusterCommand.NewFields(
                    new ClusterCalls.NewFields(
                        "copy-uuid", 1, "{\"properties\":{\"a\":{\"type\":\"long\"}}}"))))
        .hasSize(1);
  }

  @Test
  void usersCannotChangeAliasesOfAFollower() {
    String reason =
        "can't modify aliases on indices [copy]; aliases of following indices are self-replicated"
            + " from their leader indices";

    assertForbidden(alias(AliasChange.Kind.ADD, "copy", "more"), reason);
    assertForbidden(alias(AliasChange.Kind.REMOVE, "copy", "lib*"), reason);
    assertForbidden(
        new ClusterCommand.RollOver(
            "library", "copy", ClusterCommand.CreateIndex.of("copy-2", Map.of(), "{}")),
        reason);
    assertThat(accept(alias(AliasChange.Kind.ADD, "plain", "more"))).hasSize(1);
    assertThat(accept(alias(AliasChange.Kind.DELETE_INDEX, "copy", "any"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index.mapping.total_fields.limit",
        "mapping.depth.limit",
        "index.max_ngram_diff",
        "index.analysis.analyzer.a.type"
      })
  void usersCannotChangeReplicatedSettingsOfAFollower(String name) {
    String full = name.startsWith("index.") ? name : "index." + name;

    assertForbidden(
        update(name, "5", "plain", "copy"),
        "can't change settings ["
            + full
            + "] of indices [copy]; these settings of following indices are self-replicated from"
            + " their leader indices");
    assertThat(refuse(update(name, null, "copy")).status()).isEqualTo(403);
    accept(new ClusterCommand.CloseIndices(List.of("copy")));
    assertThat(refuse(update(name, "5", "copy")).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index.number_of_replicas",
        "index.max_result_window",
        "index.priority",
        "index.routing.allocation.include._name"
      })
  void otherSettingsOfAFollowerAreItsOwn(String name) {
    assertThat(accept(update(name, "5", "copy"))).hasSize(1);
  }

  @Test
  void aFollowerIsNotRestoredAsARegularIndex() {
    IndexMetadata stored = state.indices().get("copy");

    assertThat(refuse(new ClusterCommand.RestoreIndex(stored, List.of())).reason())
        .startsWith("cannot restore index [copy] because it followed an index of another cluster");
  }

  @Test
  void aPausedFollowerHasNoPullerAndRefusesThoseOfBefore() {
    accept(new ClusterCommand.PauseFollow("copy"));

    assertThat(follow())
        .isEqualTo(new FollowRelation("eu", "books", "leader-uuid", null, 4, null, true));
  }

  @Test
  void onlyAnActiveFollowerIsPaused() {
    assertIllegal(new ClusterCommand.PauseFollow("plain"), "index [plain] is not a follower index");
    accept(new ClusterCommand.PauseFollow("copy"));
    assertIllegal(new ClusterCommand.PauseFollow("copy"), "no shard follow tasks for [copy]");
    assertThat(refuse(new ClusterCommand.PauseFollow("none")).type())
        .isEqualTo("index_not_found_exception");
  }

  @Test
  void aFollowerResumesUnderTheParametersOfTheRequest() {
    accept(new ClusterCommand.PauseFollow("copy"));
    accept(new ClusterCommand.ResumeFollow("copy", SMALL));

    assertThat(follow())
        .isEqualTo(new FollowRelation("eu", "books", "leader-uuid", null, 5, SMALL, false));
    accept(new ClusterCommand.PauseFollow("copy"));
    accept(new ClusterCommand.ResumeFollow("copy", null));
    assertThat(follow().effectiveParameters()).isEqualTo(FollowParameters.DEFAULTS);
  }

  @Test
  void onlyAPausedAndOpenFollowerIsResumed() {
    assertIllegal(
        new ClusterCommand.ResumeFollow("plain", null),
        "follow index [plain] does not have ccr metadata");
    assertThat(refuse(new ClusterCommand.ResumeFollow("copy", null)).type())
        .isEqualTo("resource_already_exists_exception");
    accept(new ClusterCommand.PauseFollow("copy"));
    accept(new ClusterCommand.CloseIndices(List.of("copy")));
    assertIllegal(
        new ClusterCommand.ResumeFollow("copy", null), "leader and follow index must be open");
  }

  @Test
  void onlyAPausedAndClosedFollowerIsUnfollowed() {
    assertIllegal(new ClusterCommand.Unfollow("plain"), "index [plain] is not a follower index");
    assertIllegal(
        new ClusterCommand.Unfollow("copy"),
        "cannot convert the follower index [copy] to a non-follower, because it has not been"
            + " closed");
    accept(new ClusterCommand.CloseIndices(List.of("copy")));
    assertIllegal(
        new ClusterCommand.Unfollow("copy"),
        "cannot convert the follower index [copy] to a non-follower, because it has not been"
            + " paused");
  }

  @Test
  void anUnfollowedIndexIsRegularAndItsPrimariesTakeTheNextTerm() {
    accept(new ClusterCommand.PauseFollow("copy"));
    accept(new ClusterCommand.CloseIndices(List.of("copy")));
    accept(new ClusterCommand.Unfollow("copy"));
    accept(new ClusterCommand.OpenIndices(List.of("copy")));

    assertThat(follow()).isNull();
    assertThat(state.indices().get("copy").shard(0).primaryTerm()).isEqualTo(4);
    assertThat(accept(update("index.mapping.total_fields.limit", "5", "copy"))).hasSize(1);
    assertThat(accept(alias(AliasChange.Kind.ADD, "copy", "more"))).hasSize(1);
  }

  @Test
  void anActiveFollowerIsPromotedInOneEventAndItsPrimariesTakeTheNextTerm() {
    List<ClusterEvent> events = accept(new ClusterCommand.Promote("copy"));

    assertThat(events).hasSize(1);
    IndexMetadata index = state.indices().get("copy");
    assertThat(index.follow()).isNull();
    assertThat(index.closed()).isFalse();
    assertThat(index.awaitsFork(0)).isTrue();
    assertThat(index.shard(0).primaryTerm()).isEqualTo(4);
    assertThat(index.shard(0).primary().state()).isEqualTo(CopyRouting.State.INITIALIZING);
    assertIllegal(new ClusterCommand.Promote("copy"), "index [copy] is not a follower index");
  }

  @Test
  void aPausedAndClosedFollowerIsOpenWhenItIsPromoted() {
    accept(new ClusterCommand.PauseFollow("copy"));
    accept(new ClusterCommand.CloseIndices(List.of("copy")));

    accept(new ClusterCommand.Promote("copy"));

    assertThat(state.indices().get("copy").closed()).isFalse();
    assertThat(state.indices().get("copy").shard(0).primaryTerm()).isEqualTo(4);
  }

  @Test
  void relocationsAreCancelledWhenAFollowerIsPromoted() {
    state =
        state.apply(
            new ClusterEvent.RelocationStarted(
                new ShardId("copy-uuid", 0), "copy-p", "target", "n2"));

    accept(new ClusterCommand.Promote("copy"));

    assertThat(state.indices().get("copy").shard(0).relocations()).isEmpty();
    assertThat(state.indices().get("copy").shard(0).primaryTerm()).isEqualTo(4);
  }

  @Test
  void lifecycleAndParametersNeedTheLevelThatIntroducedThem() {
    ClusterCommand.Follow plain = new ClusterCommand.Follow("eu", "books", "u");
    ClusterCommand.Follow limited = new ClusterCommand.Follow("eu", "books", "u", SMALL);

    assertThat(new ClusterCommand.CreateIndex("a", Map.of(), "{}", plain).requiredFeatureLevel())
        .isEqualTo(1);
    assertThat(new ClusterCommand.CreateIndex("a", Map.of(), "{}", limited).requiredFeatureLevel())
        .isEqualTo(2);
    assertThat(new ClusterCommand.PauseFollow("a").requiredFeatureLevel()).isEqualTo(2);
    assertThat(accept(new ClusterCommand.CreateIndex("a", Map.of(), "{}", limited)))
        .allMatch(event -> event.since() == 2);
    assertThat(state.indices().get("a").follow().parameters()).isEqualTo(SMALL);
    assertThat(accept(new ClusterCommand.CreateIndex("b", Map.of(), "{}", plain)))
        .allMatch(event -> event.since() == 1);
  }

  @Test
  void anOperationIsSkippedOnceAndCounted() {
    accept(new ClusterCommand.SkipOperation("copy", 0, 42, 17));
    accept(new ClusterCommand.SkipOperation("copy", 0, 50, 20));

    assertThat(follow().currentStatus().skipped())
        .isEqualTo(Map.of(0, new FollowStatus.SkippedOperations(50, 20, 2)));
    assertIllegal(
        new ClusterCommand.SkipOperation("copy", 0, 42, 17),
        "shard [0] of [copy] has skipped the operation at offset [50] of the leader's log already");
  }

  @Test
  void onlyAShardOfAnActiveFollowerSkips() {
    assertIllegal(
        new ClusterCommand.SkipOperation("plain", 0, 42, 17),
        "index [plain] is not a follower index");
    assertIllegal(
        new ClusterCommand.SkipOperation("copy", 1, 42, 17), "index [copy] has no shard [1]");
    accept(new ClusterCommand.PauseFollow("copy"));
    assertIllegal(
        new ClusterCommand.SkipOperation("copy", 0, 42, 17), "no shard follow tasks for [copy]");
  }

  @Test
  void aFollowerDerivesNoFields() {
    ClusterCommand derived =
        new ClusterCommand.NewFields(
            new ClusterCalls.NewFields(
                "copy-uuid", 1, "{\"properties\":{\"a\":{\"type\":\"long\"}}}"));
    state = state.apply(new ClusterEvent.FeatureLevelRaised(2));

    assertThat(refuse(derived).status()).isEqualTo(403);
  }
}
