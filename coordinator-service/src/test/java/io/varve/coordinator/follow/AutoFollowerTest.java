package io.varve.coordinator.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.Decision;
import io.varve.control.command.Decisions;
import io.varve.control.command.IndexCreation;
import io.varve.control.command.LeaseDecisions;
import io.varve.control.command.NewIndex;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How new indices of another cluster are followed, with the real decisions. */
class AutoFollowerTest {

  private final DecidingCluster cluster = new DecidingCluster();
  private final AutoFollower follower =
      new AutoFollower(cluster, new AutoFollowStats(InstantSource.fixed(Instant.ofEpochMilli(7))));

  /** A cluster whose commands are decided as by a leading coordinator. */
  private static final class DecidingCluster extends FakeCluster {
    private final Decisions decisions =
        new Decisions(
            new IndexCreation(new NewIndex(() -> "id", () -> 0)),
            () -> "id",
            Map::of,
            new LeaseDecisions(() -> 0));
    private int uuids;

    @Override
    public void change(ClusterCommand command, Duration timeout) {
      switch (decisions.decide(state(), command, "uuid-" + uuids++)) {
        case Decision.Refused(var error) -> throw new ApiException(error);
        case Decision.Events(List<ClusterEvent> events) ->
            events.forEach(event -> change(state -> state.apply(event)));
      }
    }
  }

  private static ClusterState leaders(String... names) {
    FakeCluster other = new FakeCluster();
    for (String name : names) {
      other.index(name, 1, Map.of("index.number_of_shards", "1"));
    }
    return other.state();
  }

  private void put(String name, String leaderPattern, String followPattern) {
    cluster.change(
        new ClusterCommand.PutAutoFollow(
            name,
            new AutoFollowPattern(
                "east",
                List.of(leaderPattern),
                List.of(),
                followPattern,
                Map.of(),
                null,
                true,
                Set.of())),
        Duration.ZERO);
  }

  private IndexMetadata index(String name) {
    return Objects.requireNonNull(cluster.state().indices().get(name));
  }

  private JsonNode stats() {
    return Json.mapper().valueToTree(follower.stats());
  }

  @BeforeEach
  void raiseLevel() {
    cluster.change(state -> state.apply(new ClusterEvent.FeatureLevelRaised(FeatureLevels.NEWEST)));
  }

  @Test
  void aNewIndexIsFollowedOnceAndCounted() throws InterruptedException {
    put("logs", "logs-*", "{{leader_index}}-copy");

    assertThat(follower.update("east", leaders("logs-1", "other"))).isTrue();
    ClusterState followed = cluster.state();
    assertThat(follower.update("east", leaders("logs-1", "other"))).isTrue();

    assertThat(cluster.state()).as("the second time changes nothing").isEqualTo(followed);
    assertThat(followed.indices().keySet()).containsExactly("logs-1-copy");
    FollowRelation follow = Objects.requireNonNull(index("logs-1-copy").follow());
    assertThat(follow.leaderUuid()).isEqualTo("logs-1-uuid");
    assertThat(stats().path("number_of_successful_follow_indices").asInt()).isEqualTo(1);
    JsonNode checked = stats().at("/auto_followed_clusters/0");
    assertThat(checked.path("cluster_name").asString()).isEqualTo("east");
    assertThat(checked.path("last_check_timestamp").asLong()).isPositive();
  }

  @Test
  void anotherCoordinatorContinuesWithoutCreatingAnythingTwice() throws InterruptedException {
    put("logs", "logs-*", "{{leader_index}}-copy");
    follower.update("east", leaders("logs-1"));
    AutoFollower next = new AutoFollower(cluster, new AutoFollowStats(InstantSource.system()));

    assertThat(next.update("east", leaders("logs-1", "logs-2"))).isTrue();

    assertThat(cluster.state().indices().keySet()).containsExactly("logs-1-copy", "logs-2-copy");
  }

  @Test
  void anIndexWhoseNameIsTakenIsReportedUntilItIsFollowed() throws InterruptedException {
    cluster.index("taken", 1);
    put("logs", "logs-*", "taken");

    assertThat(follower.update("east", leaders("logs-1"))).as("is to be tried again").isFalse();

    assertThat(stats().path("number_of_failed_follow_indices").asInt()).isEqualTo(1);
    JsonNode error = stats().at("/recent_auto_follow_errors/0");
    assertThat(error.path("leader_index").asString()).isEqualTo("logs:logs-1");
    assertThat(error.path("timestamp").asLong()).isEqualTo(7);
    assertThat(error.at("/auto_follow_exception/type").asString())
        .isEqualTo("resource_already_exists_exception");

    cluster.change(state -> state.apply(new ClusterEvent.IndexDeleted("taken-uuid")));
    assertThat(follower.update("east", leaders("logs-1"))).isTrue();
    assertThat(index("taken").follow()).isNotNull();
    assertThat(stats().path("recent_auto_follow_errors")).isEmpty();
  }

  @Test
  void aConflictOfPatternsIsReportedOnceByEachAndHoldsUpNoOtherIndex() throws InterruptedException {
    put("logs", "logs-*", "{{leader_index}}-a");
    put("ones", "*-1", "{{leader_index}}-b");

    follower.update("east", leaders("logs-1", "logs-2"));
    follower.update("east", leaders("logs-1", "logs-2"));

    assertThat(cluster.state().indices().keySet()).containsExactly("logs-2-a");
    assertThat(stats().path("number_of_failed_follow_indices").asInt()).isEqualTo(2);
    assertThat(stats().path("recent_auto_follow_errors").valueStream())
        .extracting(error -> error.path("leader_index").asString())
        .containsExactly("logs:logs-1", "ones:logs-1");

    cluster.change(new ClusterCommand.DeleteAutoFollow("ones"), Duration.ZERO);
    follower.update("east", leaders("logs-1", "logs-2"));
    assertThat(cluster.state().indices().keySet()).containsExactly("logs-1-a", "logs-2-a");
    assertThat(stats().path("recent_auto_follow_errors")).isEmpty();
  }

  @Test
  void aClusterThatIsAwayIsCountedWhileAPatternNeedsIt() {
    follower.unreachable("east");
    assertThat(stats().path("number_of_failed_remote_cluster_state_requests").asInt()).isZero();
    put("logs", "logs-*", "{{leader_index}}-copy");

    follower.unreachable("east");

    assertThat(stats().path("number_of_failed_remote_cluster_state_requests").asInt()).isEqualTo(1);
  }
}
