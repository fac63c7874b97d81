package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
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

  private IndexMetadata copy() {
    return own.indices().get("copy");
  }

  @Test
  void aFollowerThatIsEqualToItsLeaderNeedsNothing() {
    follow();
    atLeader("index.number_of_replicas", "2", "index.refresh_interval", "9s");

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
  void aStaticSettingOpensAllCopiesOfTheFollowerAnew() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");

    synchronize();

    ShardRouting shard = copy().shard(0);
    assertThat(copy().settings())
        .containsEntry("index.analysis.analyzer.whole.tokenizer", "keyword");
    assertThat(shard.primaryTerm()).isEqualTo(4);
    assertThat(shard.primary().state()).isEqualTo(CopyRouting.State.INITIALIZING);
    assertThat(shard.primary().nodeId()).isEqualTo("n1");
    assertThat(shard.copies())
        .extracting(CopyRouting::copyId)
        .containsExactly("copy-p", "id", "copy-s");
    assertThat(shard.copies()).extracting(CopyRouting::nodeId).containsExactly("n1", "n2", null);
  }

  @Test
  void aClosedFollowerTakesOverStaticSettingsAndStaysClosed() {
    follow();
    own = own.apply(new ClusterEvent.IndexClosed("copy-uuid"));
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");

    assertThat(synchronize()).singleElement().isInstanceOf(ClusterEvent.IndexSettingsChanged.class);
    assertThat(copy().closed()).isTrue();
  }

  @Test
  void aFollowerIsNotOpenedAnewWhileACopyOfItRelocates() {
    follow();
    ShardId shard = new ShardId("copy-uuid", 0);
    own = own.apply(new ClusterEvent.RelocationStarted(shard, "copy-r", "target", "n3"));
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");
    assertThat(FollowerMetadata.updates(own, "eu", leaders)).isEmpty();

    own = own.apply(new ClusterEvent.RelocationCancelled(shard, "target", 0, "test"));

    assertThat(synchronize()).isNotEmpty();
  }

  @Test
  void settingsThatThisReleaseDoesNotKnowAreLeftOut() {
    follow();
    atLeader("index.of.a.newer.release", "1", "index.max_ngram_diff", "many");

    assertThat(synchronize()).isEmpty();
  }

  @Test
  void theMappingIsTakenOverWithWhatDependsOnNewSettings() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");
    leaders =
        leaders.apply(
            new ClusterEvent.MappingChanged(
                "books-uuid",
                2,
                "{\"dynamic\":\"strict\",\"properties\":{\"title\":{\"type\":\"text\","
                    + "\"analyzer\":\"whole\"}}}"));
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .isEqualTo(Json.mapper().readTree(leaders.indices().get("books").mapping()));
    assertThat(copy().mappingVersion()).isEqualTo(2);
  }

  @Test
  void aMappingThatThisReleaseDoesNotKnowHoldsUpNothingElse() {
    follow();
    atLeader("index.max_ngram_diff", "3");
    leaders =
        leaders.apply(
            new ClusterEvent.MappingChanged(
                "books-uuid", 2, "{\"properties\":{\"a\":{\"type\":\"of_a_newer_release\"}}}"));
    synchronize();

    assertThat(copy().settings()).containsEntry("index.max_ngram_diff", "3");
    assertThat(copy().mapping()).isEqualTo("{}");
  }

  @Test
  void anOutdatedStateOfTheLeaderTakesNoFieldAway() {
    follow();
    own = own.apply(new ClusterEvent.MappingChanged("copy-uuid", 2, TITLE));

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

    assertThat(synchronize()).isEmpty();
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
