package io.varve.coordinator.rest.routing;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.HttpCopies;
import io.varve.coordinator.rest.RestHarness;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.events.CopyProgress;
import io.varve.events.SessionToken;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.selection.NodeStatistics;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** As {@link RoutingScenariosTest}, with real HTTP between the coordinator and its two nodes. */
@Timeout(300)
class RoutingOverHttpTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String PRIMARY = FakeCluster.PRIMARY_NODE;
  private static final String REPLICA = FakeCluster.REPLICA_NODE;

  private final RestHarness rest = RestHarness.overHttp();
  private final CountDownLatch silence = new CountDownLatch(1);
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void oneIndex() {
    rest.cluster.setting(ClusterSettings.SELECTION_PROBES, "0");
    // However slow this machine is, nothing is searched twice unless a test wants it.
    rest.cluster.setting(ClusterSettings.HEDGING_BUDGET, "0");
    rest.cluster.index("a", 1);
    rest.call("PUT /a/_doc/1", "{\"f\":1}");
    rest.shards.calls().clear();
  }

  @AfterEach
  void close() {
    silence.countDown();
    clients.shutdownNow();
    rest.close();
  }

  private void search(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(rest.call("GET /a/_search").getStatus()).isEqualTo(200);
    }
  }

  private Future<MockHttpServletResponse> searching(String query) {
    return clients.submit(() -> rest.call("GET /a/_search" + query));
  }

  private long searched(String copyId) {
    return rest.shards.calls().stream().filter(("search " + copyId)::equals).count();
  }

  private void awaitSearched(String copyId, long times) {
    await().atMost(SOON).until(() -> searched(copyId) >= times);
  }

  private void silent(String copyId) {
    rest.shards.before(
        copyId,
        () -> {
          try {
            silence.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private void set(String name, String value) {
    rest.cluster.setting(name, value);
  }

  /** As there: with such a share of searches saved up for hedges, and none sent. */
  private void knowWhatIsUsual(String budget) {
    set(ClusterSettings.HEDGING, "false");
    set(ClusterSettings.HEDGING_BUDGET, budget);
    rest.shards.workMillis(1);
    search(100);
    rest.shards.calls().clear();
    set(ClusterSettings.HEDGING, "true");
  }

  private JsonNode figures(String nodeId) {
    return json(rest.call("GET /_nodes/stats/adaptive_selection"))
        .at("/nodes/coordinator-node/adaptive_selection/" + nodeId);
  }

  /** Searches that somebody waited for: shadows come as time goes by, however few search. */
  private long awaited(String nodeId) {
    NodeStatistics.Counts sent = rest.selection().statistics().get(nodeId).adaptive().sent();
    return sent.requests() - sent.shadows();
  }

  private void assertNothingUnderWay() {
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(rest.selection().statistics().values())
                .allSatisfy(node -> assertThat(node.outgoingSearches()).isZero()));
  }

  @Test
  void theLoserIsCancelledOnItsNodeByTheIdOfItsAttempt() {
    knowWhatIsUsual("1");
    silent("a0p");

    // A word to cancel that doesn't get through in time is not said again: another one is.
    await()
        .atMost(SOON)
        .until(() -> {
          search(1);
          return isCancelled("a0p");
        });
    assertNothingUnderWay();
    assertThat(figures(PRIMARY).at("/lost").asInt()).isPositive();
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

    search(2);

    assertThat(searched("a0p")).isPositive();
    assertThat(searched("a0r")).isEqualTo(2);
    assertNothingUnderWay();
  }

  @Test
  void whatABreakerRefusesIsNobodysWorkAndTheLastCopyIsAskedWhateverItSays() {
    set(ClusterSettings.SELECTION, "round_robin");
    set(ClusterSettings.RETRY_BUDGET, "0");
    search(1);
    RetryBudget retries = rest.part(RetryBudget.class);
    while (retries.spend()) {}
    NodeGuards guards = rest.part(NodeGuards.class);

    while (guards.open() < 3) {
      open(guards);
      search(2);
    }
    assertThat(retries.refused()).as("nobody asked for a retry after that one").isEqualTo(1);

    open(guards);
    long before = searched("a0p");
    assertThat(rest.call("GET /a/_search?preference=_primary").getStatus()).isEqualTo(200);
    assertThat(searched("a0p")).isEqualTo(before + 1);
    assertNothingUnderWay();
  }

  private static void open(NodeGuards guards) {
    for (int i = 0; i < 20; i++) {
      guards.enter(PRIMARY, true).failed(new IOException("broken"));
    }
  }

  @Test
  void aNodeHoldsNoMoreOfACoordinatorThanItsBulkheadAllows() throws Exception {
    set(ClusterSettings.NODE_SEARCHES, "1");
    silent("a0p");
    Future<MockHttpServletResponse> first = searching("?preference=_primary");
    awaitSearched("a0p", 1);

    MockHttpServletResponse second = rest.call("GET /a/_search?preference=_primary");
    assertThat(second.getStatus()).isEqualTo(429);
    assertThat(second.getContentAsString()).contains(ClusterSettings.NODE_SEARCHES);
    search(4);
    assertThat(searched("a0p")).isEqualTo(1);
    assertThat(searched("a0r")).isEqualTo(4);

    silence.countDown();
    assertThat(first.get().getStatus()).isEqualTo(200);
    assertThat(rest.call("GET /a/_search?preference=_primary").getStatus()).isEqualTo(200);
  }

  @Test
  void aCopyInTheCoordinatorsZoneIsPreferredAndAnotherZoneServesWhenItIsGone() {
    set("cluster.routing.allocation.awareness.attributes", "zone");
    zone("coordinator-node", "east");
    zone(PRIMARY, "west");
    zone(REPLICA, "east");
    search(10);
    assertThat(searched("a0r")).isEqualTo(10);

    set(ClusterSettings.IGNORE_AWARENESS, "true");
    search(10);
    assertThat(searched("a0p")).isEqualTo(5);
    set(ClusterSettings.IGNORE_AWARENESS, "false");

    rest.shards.fail("a0r", new UnreachableException("gone", new IOException("gone")));
    search(10);
    assertThat(searched("a0p")).isEqualTo(15);
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
    knowWhatIsUsual("1");
    rest.shards.lag("a0r", 0);
    rest.call("PUT /a/_doc/2", "{\"f\":2}");
    rest.cluster.progress(shows("a0p", true, 1));
    silent("a0p");

    Future<MockHttpServletResponse> first = clients.submit(this::searchOfTheSession);
    awaitSearched("a0p", 1);
    // Whoever asks for less is hedged meanwhile.
    while (figures(REPLICA).at("/hedges").asInt() == 0) {
      assertThat(rest.call("GET /a/_search?preference=_primary_first").getStatus()).isEqualTo(200);
    }
    assertThat(first.isDone()).isFalse();
    assertThat(demandsOfReplica()).as("it was never asked for what it does not show").isZero();

    rest.shards.lag("a0r", 1);
    rest.cluster.progress(shows("a0r", false, 1));
    assertThat(searchOfTheSession().getStatus()).isEqualTo(200);
    assertThat(demandsOfReplica()).isPositive();

    silence.countDown();
    assertThat(first.get().getStatus()).isEqualTo(200);
    assertNothingUnderWay();
  }

  private MockHttpServletResponse searchOfTheSession() {
    MockHttpServletRequest request = RestHarness.request("GET /a/_search");
    request.addHeader(
        RestRequest.SESSION, SessionToken.NONE.plus(new ShardId("a-uuid", 0), 1).text());
    return rest.send(request);
  }

  /** Of the searches that demand what was written, those that did not go to the silent primary. */
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
    knowWhatIsUsual("0");
    NodeInfo gone = rest.cluster.state().nodes().get(REPLICA);
    rest.cluster.leave(REPLICA);
    search(2);
    rest.cluster.node(REPLICA, _ -> gone);
    silent("a0r");
    rest.shards.calls().clear();

    Future<MockHttpServletResponse> first = null;
    while (searched("a0r") == 0) {
      long before = searched("a0p") + searched("a0r");
      first = searching("");
      await().atMost(SOON).until(() -> searched("a0p") + searched("a0r") > before);
    }
    long others = searched("a0p");
    search(20);

    assertThat(searched("a0r")).isEqualTo(1);
    assertThat(searched("a0p")).isEqualTo(others + 20);
    silence.countDown();
    assertThat(first.get().getStatus()).isEqualTo(200);
    long known = searched("a0r");
    search(20);
    assertThat(searched("a0r")).as("and serves again").isGreaterThan(known);
  }

  @Test
  void aSearchThatItsUserCancelsEndsThoughItsNodesHang() throws Exception {
    knowWhatIsUsual("1");
    silent("a0p");
    silent("a0r");
    Future<MockHttpServletResponse> search = searching("");
    await().atMost(SOON).until(() -> searched("a0p") + searched("a0r") > 0);

    rest.call("POST /_tasks/_cancel?actions=indices:data/read/search*");

    assertThat(search.get().getContentAsString()).contains("task_cancelled_exception");
    assertThat(search.get().getStatus()).as("nothing is wrong with the server").isEqualTo(400);
    assertNothingUnderWay();
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(rest.part(NodeGuards.class).underWay()).isZero());
  }

  @Test
  void aShadowThatFailsIsNobodysFailure() {
    set(ClusterSettings.HEDGING_BUDGET, "0.05");
    rest.shards.slowness(REPLICA, 1);
    rest.shards.slowness(PRIMARY, 10);
    while (searched("a0p") == 0) {
      search(1);
    }
    rest.shards.fail("a0p", new ApiException(500, "internal_server_error", "broken"));

    while (figures(PRIMARY).at("/failures").asInt() == 0) {
      JsonNode answer = json(rest.call("GET /a/_search"));
      assertThat(answer.at("/_shards/successful").asInt()).isEqualTo(1);
      assertThat(answer.at("/_shards/failed").asInt()).isZero();
      assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
    }

    assertThat(figures(PRIMARY).at("/shadows").asInt()).isPositive();
    assertNothingUnderWay();
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
    knowWhatIsUsual("0");
    rest.shards.fail("a0p", new ApiException(429, "rejected_execution_exception", "full"));

    while (searched("a0p") == 0) {
      search(1);
    }

    assertThat(figures(PRIMARY).at("/failures").asInt()).isEqualTo(1);
    assertThat(figures(PRIMARY).at("/circuit_breaker").asString()).isEqualTo("closed");
    long refused = awaited(PRIMARY);
    search(20);
    assertThat(awaited(PRIMARY)).as("it is left alone").isEqualTo(refused);
    assertNothingUnderWay();
  }
}
