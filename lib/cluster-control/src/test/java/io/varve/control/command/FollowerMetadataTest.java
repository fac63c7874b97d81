package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that a follower has the settings and aliases of its leader index once all updates are
 * applied.
 */
class FollowerMetadataTest extends FollowerMetadataWorld {

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
  void aLeaderThatIsClosedAndOpenedAgainIsStillFollowed() {
    follow();
    synchronize();
    leaders = leaders.apply(new ClusterEvent.IndexClosed("books-uuid"));
    assertThat(synchronize()).isEmpty();
    atLeader("index.max_ngram_diff", "3");
    assertThat(synchronize()).hasSize(1);

    leaders = leaders.apply(new ClusterEvent.IndexOpened("books-uuid"));

    assertThat(synchronize()).isEmpty();
    assertThat(copy().closed()).isFalse();
    assertThat(copy().follow().paused()).isFalse();
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
