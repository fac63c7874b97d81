package io.varve.coordinator.rest.routing;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.routing.NodeGuards;
import io.varve.client.routing.RetryBudget;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.HttpCopies;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.SessionToken;
import io.varve.events.ShardId;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * Tests as in {@link RoutingScenariosTest}, but with real HTTP between the coordinator and its two
 * nodes.
 */
@Timeout(300)
class RoutingOverHttpTest extends RoutedOverHttp {

  private void awaitSearched(String copyId, long times) {
    await().atMost(RoutedSearches.SOON).until(() -> world.searched(copyId) >= times);
  }

  @Test
  void theLoserIsCancelledOnItsNodeByTheIdOfItsAttempt() {
    world.learnResponseTimes("1");
    world.silent("a0p");

    // A cancellation that does not arrive in time is not repeated, so another search is started.
    await()
        .atMost(RoutedSearches.SOON)
        .until(() -> {
          world.search(1);
          return isCancelled("a0p");
        });
    world.assertNothingUnderWay();
    assertThat(world.stats(PRIMARY).at("/lost").asInt()).isPositive();
  }

  private boolean isCancelled(String copyId) {
    Map<String, String> attempts = rest.part(HttpCopies.class).attempts();
    return rest.nodes.calls().stream()
        .filter(call -> call.startsWith("cancel "))
        .map(call -> call.substring(call.lastIndexOf(' ') + 1))
        .anyMatch(id -> copyId.equals(attempts.get(id)));
  }

  @Test
  void aConnectionThatBreaksIsFollowedByTheNextCopy() {
    rest.shards.fail("a0p", new UnreachableException("gone", new IOException("gone")));

    world.search(2);

    assertThat(world.searched("a0p")).isPositive();
    assertThat(world.searched("a0r")).isEqualTo(2);
    world.assertNothingUnderWay();
  }

  @Test
  void aCopyThatIsStillOpenedCostsNoRetryAndItsNodeIsNotBlamed() {
    RetryBudget retries = rest.part(RetryBudget.class);
    set(ClusterSettings.RETRY_BUDGET, "0");
    world.search(1);
    while (retries.spend()) {}
    rest.shards.fail(
        "a0p", new ApiException(503, "no_shard_available_action_exception", "it is STARTING"));
    rest.shards.calls().clear();

    while (world.searched("a0p") == 0) {
      world.search(1);
    }
    world.search(30);

    assertThat(world.searched("a0r")).isGreaterThan(30);
    assertThat(retries.refused()).as("the one that ended the loop").isEqualTo(1);
    assertThat(world.stats(PRIMARY).at("/failures").asInt()).isZero();
    assertThat(rest.part(NodeGuards.class).state(PRIMARY)).isEqualTo("closed");
    world.assertNothingUnderWay();
  }

  @Test
  void aNodeHoldsNoMoreOfACoordinatorThanItsBulkheadAllows() throws Exception {
    set(ClusterSettings.NODE_SEARCHES, "1");
    world.silent("a0p");
    Future<MockHttpServletResponse> first = world.searching("?preference=_primary");
    awaitSearched("a0p", 1);

    MockHttpServletResponse second = rest.call("GET /a/_search?preference=_primary");
    assertThat(second.getStatus()).isEqualTo(429);
    assertThat(second.getContentAsString()).contains(ClusterSettings.NODE_SEARCHES);
    world.search(4);
    assertThat(world.searched("a0p")).isEqualTo(1);
    assertThat(world.searched("a0r")).isEqualTo(4);

    world.speak();
    assertThat(first.get().getStatus()).isEqualTo(200);
    assertThat(rest.call("GET /a/_search?preference=_primary").getStatus()).isEqualTo(200);
  }

  @Test
  void aCopyInTheCoordinatorsZoneIsPreferredAndAnotherZoneServesWhenItIsGone() {
    set("cluster.routing.allocation.awareness.attributes", "zone");
    zone("coordinator-node", "east");
    zone(PRIMARY, "west");
    zone(REPLICA, "east");
    world.search(10);
    assertThat(world.searched("a0r")).isEqualTo(10);

    set(ClusterSettings.IGNORE_AWARENESS, "true");
    world.search(10);
    assertThat(world.searched("a0p")).isEqualTo(5);
    set(ClusterSettings.IGNORE_AWARENESS, "false");

    rest.shards.fail("a0r", new UnreachableException("gone", new IOException("gone")));
    world.search(10);
    assertThat(world.searched("a0p")).isEqualTo(15);
  }

  private void zone(String nodeId, String zone) {
    rest.cluster.node(nodeId, node -> in(zone, node));
  }

  private static NodeInfo in(String zone, NodeInfo node) {
    return new NodeInfo(
        node.nodeId(),
        node.name(),
        node.incarnation(),
        node.roles(),
        node.url(),
        Map.of("zone", zone));
  }

  @Test
  void onlyACopyThatShowsWhatTheSessionWroteIsHedgedTo() throws Exception {
    world.learnResponseTimes("1");
    rest.shards.lag("a0r", 0);
    rest.call("PUT /a/_doc/2", "{\"f\":2}");
    rest.cluster.progress(shows("a0p", true, 1));
    world.silent("a0p");

    Future<MockHttpServletResponse> first = world.begun(this::searchOfTheSession);
    awaitSearched("a0p", 1);
    // Searches with a lower demand are hedged in the meantime.
    while (world.stats(REPLICA).at("/hedges").asInt() == 0) {
      assertThat(rest.call("GET /a/_search?preference=_primary_first").getStatus()).isEqualTo(200);
    }
    assertThat(first.isDone()).isFalse();
    assertThat(demandsOfReplica()).as("it was never asked for what it does not show").isZero();

    rest.shards.lag("a0r", 1);
    rest.cluster.progress(shows("a0r", false, 1));
    assertThat(searchOfTheSession().getStatus()).isEqualTo(200);
    assertThat(demandsOfReplica()).isPositive();

    world.speak();
    assertThat(first.get().getStatus()).isEqualTo(200);
    world.assertNothingUnderWay();
  }

  private MockHttpServletResponse searchOfTheSession() {
    MockHttpServletRequest request = RestHarness.request("GET /a/_search");
    request.addHeader(
        RestRequest.SESSION, SessionToken.NONE.plus(new ShardId("a-uuid", 0), 1).text());
    return rest.send(request);
  }

  /** The searches with a demand that were not sent to the silent primary. */
  private long demandsOfReplica() {
    return rest.shards.demands().stream().filter(demand -> demand.seqNo() == 1).count();
  }

  private static CopyProgress shows(String copyId, boolean primary, long seqNo) {
    return new CopyProgress(
        copyId,
        new ShardId("a-uuid", 0),
        primary ? PRIMARY : REPLICA,
        primary,
        "STARTED",
        FakeCluster.TERM,
        seqNo,
        seqNo,
        seqNo,
        seqNo,
        0,
        0,
        0,
        0,
        0,
        0,
        0);
  }

  @Test
  void aCopyThatComesBackHoldsOneSearchUntilItHasAnswered() throws Exception {
    world.learnResponseTimes("0");
    NodeInfo gone = rest.cluster.state().nodes().get(REPLICA);
    rest.cluster.leave(REPLICA);
    world.search(2);
    rest.cluster.node(REPLICA, _ -> gone);
    world.silent("a0r");
    rest.shards.calls().clear();

    Future<MockHttpServletResponse> first = null;
    while (world.searched("a0r") == 0) {
      long before = world.searched("a0p") + world.searched("a0r");
      first = world.searching("");
      await()
          .atMost(RoutedSearches.SOON)
          .until(() -> world.searched("a0p") + world.searched("a0r") > before);
    }
    long others = world.searched("a0p");
    world.search(20);

    assertThat(world.searched("a0r")).isEqualTo(1);
    assertThat(world.searched("a0p")).isEqualTo(others + 20);
    world.speak();
    assertThat(first.get().getStatus()).isEqualTo(200);
    long known = world.searched("a0r");
    world.search(20);
    assertThat(world.searched("a0r")).as("and serves again").isGreaterThan(known);
  }

  @Test
  void aSearchThatItsUserCancelsEndsThoughItsNodesHang() throws Exception {
    world.learnResponseTimes("1");
    world.silent("a0p");
    world.silent("a0r");
    Future<MockHttpServletResponse> search = world.searching("");
    await()
        .atMost(RoutedSearches.SOON)
        .until(() -> world.searched("a0p") + world.searched("a0r") > 0);

    rest.call("POST /_tasks/_cancel?actions=indices:data/read/search*");

    assertThat(search.get().getContentAsString()).contains("task_cancelled_exception");
    assertThat(search.get().getStatus()).as("nothing is wrong with the server").isEqualTo(400);
    world.assertNothingUnderWay();
    await()
        .atMost(RoutedSearches.SOON)
        .untilAsserted(() -> assertThat(rest.part(NodeGuards.class).underWay()).isZero());
  }

  @Test
  void aShadowThatFailsIsNobodysFailure() {
    set(ClusterSettings.HEDGING_BUDGET, "0.05");
    rest.shards.slowness(REPLICA, 1);
    rest.shards.slowness(PRIMARY, 10);
    while (world.searched("a0p") == 0) {
      world.search(1);
    }
    rest.shards.fail("a0p", new ApiException(500, "internal_server_error", "broken"));

    while (world.stats(PRIMARY).at("/failures").asInt() == 0) {
      JsonNode answer = json(rest.call("GET /a/_search"));
      assertThat(answer.at("/_shards/successful").asInt()).isEqualTo(1);
      assertThat(answer.at("/_shards/failed").asInt()).isZero();
      assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
    }

    assertThat(world.stats(PRIMARY).at("/shadows").asInt()).isPositive();
    world.assertNothingUnderWay();
  }

  @Test
  void aScrollTellsOfItsNodesAsASearchDoes() {
    rest.shards.workMillis(1);

    assertThat(rest.call("POST /a/_search?scroll=1m", "{}").getStatus()).isEqualTo(200);

    assertThat(rest.selection().statistics().values())
        .anyMatch(node -> node.averages().isPresent());
  }

  @Test
  void aRefusalForWantOfRoomIsFollowedByTheNextCopyAndThatNodeRests() {
    world.learnResponseTimes("0");
    rest.shards.fail("a0p", new ApiException(429, "rejected_execution_exception", "full"));

    while (world.searched("a0p") == 0) {
      world.search(1);
    }

    assertThat(world.stats(PRIMARY).at("/failures").asInt()).isEqualTo(1);
    assertThat(world.stats(PRIMARY).at("/circuit_breaker").asString()).isEqualTo("closed");
    long refused = world.awaited(PRIMARY);
    world.search(20);
    assertThat(world.awaited(PRIMARY)).as("it is left alone").isEqualTo(refused);
    world.assertNothingUnderWay();
  }
}
