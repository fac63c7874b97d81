package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that a follower has the metadata of its leader index once all updates are applied. */
class FollowerMetadataTest {

  private static final String TITLE = "{\"properties\":{\"title\":{\"type\":\"text\"}}}";

  private final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 0)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  private ClusterState leaders = ClusterState.EMPTY;
  private ClusterState own = ClusterState.EMPTY;

  private static ClusterState with(
      ClusterState state, String name, @Nullable FollowRelation follow) {
    ShardRouting shard =
        new ShardRouting(
            new ShardId(name + "-uuid", 0),
            3,
            List.of(
                new CopyRouting(name + "-p", true, CopyRouting.State.STARTED, "n1", ""),
                new CopyRouting(name + "-r", false, CopyRouting.State.STARTED, "n2", ""),
                CopyRouting.unassignedForSearch(name + "-s", "INDEX_CREATED")));
    return state.apply(
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

  private void follow() {
    leaders = with(leaders, "books", null);
    own = with(own, "copy", new FollowRelation("eu", "books", "books-uuid", "n1", 3));
    for (String id : List.of("n1", "n2", "n3")) {
      own = own.apply(new ClusterEvent.NodeJoined(node(id)));
    }
    for (String id : List.of("copy-p", "copy-r")) {
      own = own.apply(new ClusterEvent.CopyStarted(new ShardId("copy-uuid", 0), id, 3));
    }
  }

  private void atLeader(String... settings) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      changes.put(settings[i], settings[i + 1]);
    }
    leaders = leaders.apply(new ClusterEvent.IndexSettingsChanged("books-uuid", 2, changes));
  }

  private void aliasAtLeader(String name, @Nullable AliasMetadata alias) {
    Map<String, @Nullable AliasMetadata> changes = new TreeMap<>();
    changes.put(name, alias);
    leaders =
        leaders.apply(new ClusterEvent.AliasesChanged(Map.of("books-uuid", changes), List.of()));
  }

  private List<ClusterEvent> synchronize() {
    List<ClusterEvent> events =
        FollowerMetadata.updates(own, "eu", leaders).stream()
            .flatMap(
                update -> ((Decision.Events) decisions.decide(own, update, "")).events().stream())
            .toList();
    events.forEach(event -> own = own.apply(event));
    assertThat(FollowerMetadata.updates(own, "eu", leaders)).as("left to do").isEmpty();
    return events;
  }

  /** The version of the leader's mapping at the start is taken first. */
  private List<ClusterEvent> synchronizeAgain() {
    var _ = synchronize();
    return synchronize();
  }

  /** Reopens all copies, each of which starts. */
  private void reopenCopies() {
    while (!copy().follow().currentStatus().copiesToReopen().isEmpty()) {
      List<ClusterCommand.ReopenCopy> due = FollowerReopening.due(own);
      assertThat(due).isNotEmpty();
      ((Decision.Events) decisions.decide(own, due.getFirst(), ""))
          .events()
          .forEach(event -> own = own.apply(event));
      for (CopyRouting copy : copy().shard(0).copies()) {
        own =
            own.apply(
                new ClusterEvent.CopyStarted(
                    copy().shard(0).shard(), copy.copyId(), copy().shard(0).primaryTerm()));
      }
    }
  }

  private static NodeInfo node(String id) {
    return new NodeInfo(id, id, "i", Set.of(NodeInfo.PRIMARY), "http://" + id, Map.of());
  }

  private void mappingAtLeader(long version, String mapping) {
    leaders = leaders.apply(new ClusterEvent.MappingChanged("books-uuid", version, mapping));
  }

  private IndexMetadata copy() {
    return own.indices().get("copy");
  }

  @Test
  void aFollowerThatIsEqualToItsLeaderNeedsNothing() {
    follow();
    atLeader("index.number_of_replicas", "2", "index.refresh_interval", "9s");

    assertThat(synchronize())
        .containsExactly(
            new ClusterEvent.FollowStatusChanged(
                "copy-uuid", FollowStatus.NEW.withLeaderMappingVersion(1)));
    assertThat(synchronize()).isEmpty();
  }

  @Test
  void dynamicSettingsAreTakenOver() {
    follow();
    atLeader("index.mapping.total_fields.limit", "7", "index.max_ngram_diff", "2");
    synchronize();
    atLeader("index.mapping.total_fields.limit", null, "index.max_ngram_diff", "3");

    assertThat(synchronize())
        .singleElement()
        .isInstanceOfSatisfying(
            ClusterEvent.IndexSettingsChanged.class,
            event -> assertThat(event.settingsVersion()).isEqualTo(3));
    assertThat(copy().settings())
        .isEqualTo(
            Map.of(
                "index.number_of_shards", "1",
                "index.number_of_replicas", "0",
                "index.max_ngram_diff", "3"));
  }

  @Test
  void aStaticSettingIsTakenOverAndTheCopiesAreListedForReopening() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");

    synchronize();

    ShardRouting shard = copy().shard(0);
    assertThat(copy().settings())
        .containsEntry("index.analysis.analyzer.whole.tokenizer", "keyword");
    assertThat(shard.primaryTerm()).isEqualTo(3);
    assertThat(shard.copies()).filteredOn(CopyRouting::started).hasSize(2);
    assertThat(copy().follow().currentStatus().copiesToReopen())
        .containsExactly("copy-p", "copy-r");
  }

  @Test
  void aClosedFollowerTakesOverStaticSettingsAndStaysClosed() {
    follow();
    own = own.apply(new ClusterEvent.IndexClosed("copy-uuid"));
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");

    assertThat(synchronize())
        .extracting(Object::getClass)
        .isEqualTo(
            List.of(
                ClusterEvent.IndexSettingsChanged.class, ClusterEvent.FollowStatusChanged.class));
    assertThat(copy().closed()).isTrue();
    assertThat(copy().follow().currentStatus().copiesToReopen()).isEmpty();
  }

  @Test
  void aRelocationTargetThatMayHaveOpenedWithFormerSettingsIsListedToo() {
    follow();
    ShardId shard = new ShardId("copy-uuid", 0);
    own = own.apply(new ClusterEvent.RelocationStarted(shard, "copy-r", "target", "n3"));
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");

    synchronize();

    assertThat(copy().follow().currentStatus().copiesToReopen())
        .containsExactly("copy-p", "copy-r", "target");
  }

  @Test
  void settingsThatThisReleaseDoesNotKnowAreLeftOut() {
    follow();
    atLeader("index.of.a.newer.release", "1", "index.max_ngram_diff", "many");

    assertThat(synchronizeAgain()).isEmpty();
  }

  @Test
  void aMappingWaitsUntilAllCopiesHaveTheStaticSettingsThatItNeeds() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");
    mappingAtLeader(
        2,
        "{\"dynamic\":\"strict\",\"properties\":{\"title\":{\"type\":\"text\","
            + "\"analyzer\":\"whole\"}}}");
    synchronize();
    assertThat(copy().mapping()).isEqualTo("{}");
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isZero();

    reopenCopies();
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .isEqualTo(Json.mapper().readTree(leaders.indices().get("books").mapping()));
    assertThat(copy().mappingVersion()).isEqualTo(2);
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(2);
  }

  @Test
  void aMappingThatNeedsNoNewStaticSettingDoesNotWaitForCopies() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");
    synchronize();
    assertThat(copy().follow().currentStatus().copiesToReopen()).isNotEmpty();

    mappingAtLeader(2, "{\"properties\":{\"year\":{\"type\":\"integer\"}}}");
    synchronize();

    assertThat(copy().mapping()).contains("year");
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(2);
    assertThat(copy().follow().currentStatus().copiesToReopen()).isNotEmpty();

    atLeader("index.analysis.analyzer.other.tokenizer", "keyword");
    synchronize();
    mappingAtLeader(
        3, "{\"properties\":{\"year\":{\"type\":\"integer\"},\"name\":{\"type\":\"keyword\"}}}");
    synchronize();
    assertThat(copy().follow().currentStatus().leaderMappingVersion())
        .as("copies are open with two kinds of former settings")
        .isEqualTo(2);

    reopenCopies();
    synchronize();
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(3);
    assertThat(copy().follow().currentStatus().formerSettings()).isNull();
  }

  @Test
  void everyRootParameterOfTheMappingIsTakenOver() {
    follow();
    own =
        own.apply(
            new ClusterEvent.MappingChanged(
                "copy-uuid",
                2,
                "{\"date_detection\":false,\"_routing\":{\"required\":true},\"_meta\":{\"a\":1}}"));
    mappingAtLeader(
        5,
        """
        {"dynamic":"false","date_detection":false,"numeric_detection":true,
         "dynamic_date_formats":["yyyy/MM/dd"],
         "dynamic_templates":[{"s":{"match_mapping_type":"string","mapping":{"type":"keyword"}}}],
         "_routing":{"required":true},"_meta":{"owner":"eu"},
         "properties":{"title":{"type":"text"}}}
        """);
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .isEqualTo(Json.mapper().readTree(leaders.indices().get("books").mapping()));
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(5);

    String defaults =
        "{\"_routing\":{\"required\":true},\"properties\":{\"title\":{\"type\":\"text\"}}}";
    mappingAtLeader(6, defaults);
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .as("parameters with their default values again")
        .isEqualTo(Json.mapper().readTree(defaults));
  }

  @Test
  void fieldsThatWereDerivedHereBeforeStay() {
    follow();
    own = own.apply(new ClusterEvent.MappingChanged("copy-uuid", 2, TITLE));
    mappingAtLeader(5, "{\"properties\":{\"pages\":{\"type\":\"long\"}}}");
    synchronize();

    assertThat(copy().mapping()).contains("title").contains("pages");
  }

  @Test
  void aFollowerThatCannotTakeItsLeadersMappingIsStoppedWithTheReason() {
    follow();
    atLeader("index.max_ngram_diff", "3");
    mappingAtLeader(2, "{\"properties\":{\"a\":{\"type\":\"of_a_newer_release\"}}}");
    synchronize();
    assertThat(copy().settings()).containsEntry("index.max_ngram_diff", "3");
    assertThat(copy().mapping()).isEqualTo("{}");

    assertThat(FollowerMetadata.stops(own, "eu", leaders, Map.of()))
        .singleElement()
        .satisfies(stop -> {
          assertThat(stop.indexUuid()).isEqualTo("copy-uuid");
          assertThat(stop.reason()).contains("version 2").contains("of_a_newer_release");
        });
  }

  @Test
  void onlyTheFollowerOfAnIndexThatASkippedEventNamesIsStopped() {
    follow();
    own = with(own, "other", new FollowRelation("eu", "films", "films-uuid", "n1", 3));
    own = with(own, "far", new FollowRelation("us", "books", "books-uuid", "n1", 3));

    List<ClusterCommand.StopFollower> stops =
        FollowerMetadata.stops(own, "eu", leaders, Map.of("books-uuid", "an unknown event"));

    assertThat(stops)
        .containsExactly(
            new ClusterCommand.StopFollower("copy-uuid", "books-uuid", "an unknown event"));
    own =
        own.apply(
            ((Decision.Events) decisions.decide(own, stops.getFirst(), "")).events().getFirst());
    assertThat(copy().follow().paused()).isTrue();
    assertThat(copy().follow().stopped()).contains("an unknown event");
    assertThat(decisions.decide(own, stops.getFirst(), "")).isEqualTo(Decision.nothing());
    assertThat(FollowerMetadata.stops(own, "eu", leaders, Map.of("books-uuid", "again"))).isEmpty();
    assertThat(copy().follow().resumed(null).stopped()).isEmpty();
  }

  @Test
  void anOutdatedStateOfTheLeaderTakesNoFieldAway() {
    follow();
    mappingAtLeader(3, TITLE);
    synchronize();
    mappingAtLeader(2, "{\"properties\":{\"former\":{\"type\":\"long\"}}}");

    assertThat(synchronize()).isEmpty();
    assertThat(copy().mapping()).isEqualTo(TITLE);
  }

  @Test
  void aliasesAreTakenOverWithoutTheWriteFlag() {
    follow();
    aliasAtLeader("library", new AliasMetadata("{\"match_all\":{}}", "1", "1,2", true, null));
    synchronize();
    assertThat(copy().aliases())
        .isEqualTo(
            Map.of("library", new AliasMetadata("{\"match_all\":{}}", "1", "1,2", null, null)));
    aliasAtLeader("library", null);
    aliasAtLeader("shelf", AliasMetadata.PLAIN);
    synchronize();

    assertThat(copy().aliases()).isEqualTo(Map.of("shelf", AliasMetadata.PLAIN));
  }

  @Test
  void anAliasThatIsAnIndexHereIsLeftOut() {
    follow();
    own = with(own, "shelf", null);
    aliasAtLeader("shelf", AliasMetadata.PLAIN);

    assertThat(synchronizeAgain()).isEmpty();
  }

  @Test
  void pausedFollowersAndThoseOfOtherClustersStayAsTheyAre() {
    follow();
    atLeader("index.max_ngram_diff", "3");

    assertThat(FollowerMetadata.updates(own, "us", leaders)).isEmpty();
    own = own.apply(new ClusterEvent.FollowChanged("copy-uuid", copy().follow().asPaused()));
    assertThat(FollowerMetadata.updates(own, "eu", leaders)).isEmpty();
  }

  @Test
  void anIndexThatWasCreatedAgainUnderTheLeadersNameIsNotItsLeader() {
    follow();
    atLeader("index.max_ngram_diff", "3");
    ClusterCommand late = FollowerMetadata.updates(own, "eu", leaders).getFirst();
    leaders = leaders.apply(new ClusterEvent.IndexDeleted("books-uuid"));
    assertThat(FollowerMetadata.updates(own, "eu", leaders)).isEmpty();

    own =
        own.apply(
            new ClusterEvent.FollowChanged(
                "copy-uuid", new FollowRelation("eu", "books", "other", "n1", 5)));
    assertThat(decisions.decide(own, late, "")).isEqualTo(Decision.nothing());
  }
}
