package io.varve.control;

import static io.varve.cluster.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.control.Membership.Sign;
import io.varve.control.allocation.Absences;
import io.varve.control.allocation.FailedPlaces;
import io.varve.control.allocation.Reconciler;
import io.varve.events.ShardId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MembershipTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);
  private final Membership membership = new Membership(5_000, 1_000);

  private static Map<String, Sign> signs(NodeInfo node, long arrivedMillis) {
    return Map.of(node.nodeId(), new Sign(Clusters.heartbeat(node), arrivedMillis));
  }

  /**
   * @param sinceMillis when reception of heartbeats began
   */
  private List<ClusterEvent> changes(
      ClusterState state, Map<String, Sign> signs, long sinceMillis, long nowMillis) {
    return membership.changes(
        state,
        signs,
        nodeId -> {
          Sign sign = signs.get(nodeId);
          return nowMillis - Math.max(sinceMillis, sign == null ? 0 : sign.arrivedMillis());
        },
        nowMillis);
  }

  @Test
  void aNewNodeJoinsOnce() {
    NodeInfo node = node("p", "primary");
    ClusterState state = Clusters.with();
    assertThat(changes(state, signs(node, 10), 0, 10))
        .containsExactly(new ClusterEvent.NodeJoined(node));
    assertThat(changes(Clusters.with(node), signs(node, 10), 0, 10)).isEmpty();
  }

  @Test
  void changesComeInTheOrderOfNodeIds() {
    Map<String, Sign> signs = new LinkedHashMap<>();
    for (String nodeId : List.of("r", "p", "s", "q")) {
      signs.putAll(signs(node(nodeId, "primary"), 10));
    }
    assertThat(changes(Clusters.with(), signs, 0, 10))
        .extracting(ClusterEvent::entity)
        .containsExactly("p", "q", "r", "s");
  }

  @Test
  void anOldHeartbeatIsNoSignOfLife() {
    assertThat(changes(Clusters.with(), signs(node("p", "primary"), 0), 0, 5_000)).isEmpty();
  }

  @Test
  void aHeartbeatThatIsOldKeepsAMemberButAdmitsNoNode() {
    NodeInfo node = node("p", "primary");
    assertThat(changes(Clusters.with(), signs(node, 0), 0, 999)).hasSize(1);
    assertThat(changes(Clusters.with(), signs(node, 0), 0, 1_000)).isEmpty();
    assertThat(changes(Clusters.with(node), signs(node, 0), 0, 4_999)).isEmpty();
    assertThat(new Membership(500, 1_000).changes(Clusters.with(), signs(node, 0), _ -> 500, 500))
        .as("the timeout holds for all")
        .isEmpty();
  }

  @Test
  void aSilentMemberLeaves() {
    NodeInfo node = node("p", "primary");
    ClusterState state = Clusters.with(node);
    assertThat(changes(state, signs(node, 1_000), 0, 5_999)).isEmpty();
    assertThat(changes(state, signs(node, 1_000), 0, 6_000))
        .containsExactly(new ClusterEvent.NodeLeft("p", "silent for 5000 ms"));
  }

  @Test
  void aMemberWithoutAnyHeartbeatLeavesAfterTheTimeoutToo() {
    ClusterState state = Clusters.with(node("p", "primary"));
    assertThat(changes(state, Map.of(), 10_000, 14_999)).isEmpty();
    assertThat(changes(state, Map.of(), 10_000, 15_000)).hasSize(1);
  }

  @Test
  void theTimeoutOfEveryMemberRestartsAfterAnInterruptionOfTheLog() {
    NodeInfo node = node("p", "primary");
    ClusterState state = Clusters.with(node);
    assertThat(changes(state, signs(node, 1_000), 9_000, 13_999)).isEmpty();
    assertThat(changes(state, signs(node, 1_000), 9_000, 14_000)).hasSize(1);
  }

  private static ClusterState withPrimaryOn(NodeInfo node) {
    return Clusters.with(node)
        .apply(new ClusterEvent.IndexCreated(Clusters.index("books", 1, 0)))
        .apply(new ClusterEvent.PrimaryAssigned(SHARD, "copy", node.nodeId(), 1))
        .apply(new ClusterEvent.CopyStarted(SHARD, "copy", 1));
  }

  @Test
  void aNewProcessGetsNewTermsRightAfterItJoined() {
    NodeInfo old = node("p", "primary");
    NodeInfo restarted = new NodeInfo("p", "p", "p-2", Set.of("primary"), "http://p");
    assertThat(changes(withPrimaryOn(old), signs(restarted, 0), 0, 0))
        .containsExactly(
            new ClusterEvent.NodeJoined(restarted),
            new ClusterEvent.PrimaryAssigned(SHARD, "copy", "p", 2));
  }

  @Test
  void aClosedIndexDoesNotChangeWhenTheNodeOfItsPrimaryReturns() {
    ClusterState closed =
        withPrimaryOn(node("p", "primary")).apply(new ClusterEvent.IndexClosed("books-uuid"));
    NodeInfo restarted = new NodeInfo("p", "p", "p-2", Set.of("primary"), "http://p");

    assertThat(changes(closed, signs(restarted, 0), 0, 0))
        .containsExactly(new ClusterEvent.NodeJoined(restarted));

    ClusterState joined = closed.apply(new ClusterEvent.NodeJoined(restarted));
    assertThat(joined.shard(SHARD).orElseThrow().primary().started()).isTrue();
  }

  @Test
  void aReturningNodeGetsNewTermsToo() {
    NodeInfo node = node("p", "primary");
    ClusterState away = withPrimaryOn(node).apply(new ClusterEvent.NodeLeft("p", "silent"));
    assertThat(changes(away, signs(node, 0), 0, 0))
        .containsExactly(
            new ClusterEvent.NodeJoined(node),
            new ClusterEvent.PrimaryAssigned(SHARD, "copy", "p", 2));
  }

  @Test
  void aNewAddressOfTheSameProcessChangesNoTerm() {
    NodeInfo node = node("p", "primary");
    NodeInfo moved = new NodeInfo("p", "p", "p-1", Set.of("primary"), "http://other");
    assertThat(changes(withPrimaryOn(node), signs(moved, 0), 0, 0))
        .containsExactly(new ClusterEvent.NodeJoined(moved));
  }

  @ParameterizedTest
  @CsvSource({
    // leader term, leader, own id, milliseconds since the leader's last message, starts an election
    "0, '', b, 0, true",
    "1, b, b, 0, true",
    "1, a, b, 2999, false",
    "1, a, b, 3000, true",
    "1, a, c, 3000, false",
    "1, a, c, 4000, true",
    // Not a member yet, so it is ranked after all members.
    "1, a, z, 4999, false",
    "1, a, z, 5000, true",
  })
  void theCoordinatorWithTheSmallestIdCampaignsFirst(
      long term, String leader, String self, long silentMillis, boolean campaigns) {
    ClusterState state =
        Clusters.with(node("a", "coordinator"), node("b", "coordinator"), node("c", "coordinator"))
            .ledBy(leader, term);
    assertThat(new LeaderElection(self, 3_000, 1_000).shouldCampaign(state, silentMillis))
        .isEqualTo(campaigns);
  }

  @Test
  void anElectionNeedsATimeoutAndNoNegativeStagger() {
    ClusterState led = Clusters.with(node("b", "coordinator")).ledBy("a", 1);
    assertThat(new LeaderElection("b", 1, 0).shouldCampaign(led, 1)).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> new LeaderElection("b", 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new LeaderElection("b", 1, -1));
  }

  @Test
  void onlyCoordinatorsAreRankedInAnElection() {
    ClusterState led = Clusters.with(node("b", "primary"), node("c", "coordinator")).ledBy("a", 1);
    assertThat(new LeaderElection("c", 3_000, 1_000).shouldCampaign(led, 3_000)).isTrue();
  }

  @Test
  void aMembershipNeedsATimeout() {
    assertThat(new Membership(1, 1).changes(Clusters.with(), Map.of(), _ -> 0, 0)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new Membership(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Membership(1, 0));
  }

  @Test
  void aNewProcessThatPullsGetsANewAssignment() {
    NodeInfo old = node("f", "ccr");
    NodeInfo restarted = new NodeInfo("f", "f", "f-2", Set.of("ccr"), "http://f");
    ClusterState state =
        Clusters.with(old)
            .apply(new ClusterEvent.IndexCreated(following("f", 4)))
            .apply(new ClusterEvent.IndexCreated(following("other", 7)));

    assertThat(changes(state, signs(restarted, 0), 0, 0))
        .containsExactly(
            new ClusterEvent.NodeJoined(restarted),
            new ClusterEvent.FollowAssigned("f-index-uuid", "f", 5));
  }

  private static IndexMetadata following(String nodeId, long assignment) {
    IndexMetadata plain = Clusters.index(nodeId + "-index", 1, 0);
    return new IndexMetadata(
        plain.name(),
        plain.uuid(),
        0,
        plain.settings(),
        1,
        "{}",
        1,
        new FollowRelation("remote", "books", "books-uuid", nodeId, assignment),
        plain.shards());
  }

  @Test
  void aPlaceIsRefusedLongerAfterEachFailureUntilACopyStarts() {
    FailedPlaces places = new FailedPlaces();
    ClusterState state = withPrimaryOn(node("p", "primary"));
    places.failed(SHARD, "p", 0);
    assertThat(places.refused(state, 999)).containsExactly(new Reconciler.Place(SHARD, "p"));
    assertThat(places.refused(state, 1_000)).isEmpty();
    places.failed(SHARD, "p", 1_000);
    assertThat(places.refused(state, 2_999)).hasSize(1);
    assertThat(places.refused(state, 3_000)).isEmpty();
    for (int i = 0; i < 20; i++) {
      places.failed(SHARD, "p", 10_000);
    }
    assertThat(places.refused(state, 69_999)).hasSize(1);
    assertThat(places.refused(state, 70_000)).isEmpty();
    places.started(SHARD, "p");
    places.failed(SHARD, "p", 100_000);
    assertThat(places.refused(state, 101_000)).isEmpty();
  }

  @Test
  void absencesBeginWhenNoticedAndEndWhenTheNodeReturns() {
    Absences absences = new Absences();
    NodeInfo node = node("p", "primary");
    ClusterState present = withPrimaryOn(node);
    ClusterState away = present.apply(new ClusterEvent.NodeLeft("p", "silent"));
    assertThat(absences.update(present, 0)).isEmpty();
    assertThat(absences.update(away, 10)).containsExactly(Map.entry("p", 10L));
    assertThat(absences.update(away, 20)).containsExactly(Map.entry("p", 10L));
    assertThat(absences.update(present, 30)).isEmpty();
    assertThat(absences.update(away, 40)).containsExactly(Map.entry("p", 40L));
  }
}
