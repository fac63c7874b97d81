package io.varve.coordinator.rest.routing;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.routing.NodeGuards;
import io.varve.client.routing.RetryBudget;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * The circuit breakers of nodes, with real HTTP between the coordinator and its two nodes. The
 * clock of the breakers stands still: no pause of a thread closes one, or makes an answer old.
 */
@Timeout(300)
class BreakersOverHttpTest extends RoutedOverHttp {

  private static final int LATE_THAT_OPEN_A_BREAKER = 20;

  BreakersOverHttpTest() {
    super(RestHarness.overHttp(() -> 0));
  }

  @Test
  void whatABreakerRefusesIsNobodysWorkAndTheLastCopyIsAskedWhateverItSays() {
    set(ClusterSettings.SELECTION, "round_robin");
    set(ClusterSettings.RETRY_BUDGET, "0");
    world.search(1);
    RetryBudget retries = rest.part(RetryBudget.class);
    while (retries.spend()) {}
    NodeGuards guards = rest.part(NodeGuards.class);

    while (guards.open() < 3) {
      open(guards);
      world.search(2);
    }
    assertThat(retries.refused()).as("nobody asked for a retry after that one").isEqualTo(1);

    open(guards);
    long before = world.searched("a0p");
    assertThat(rest.call("GET /a/_search?preference=_primary").getStatus()).isEqualTo(200);
    assertThat(world.searched("a0p")).isEqualTo(before + 1);
    world.assertNothingUnderWay();
  }

  @Test
  void aCopyWhoseBreakerIsOpenIsAskedWhenTheOthersFail() {
    set(ClusterSettings.SELECTION, "round_robin");
    rest.shards.fail(
        "a0r", new ApiException(429, "rejected_execution_exception", "its queue is full"));
    NodeGuards guards = rest.part(NodeGuards.class);

    while (guards.open() < 3) {
      open(guards);
      JsonNode answer = json(rest.call("GET /a/_search"));
      assertThat(answer.at("/_shards/failed").asInt()).isZero();
      assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
    }
    world.assertNothingUnderWay();
  }

  @Test
  void aSearchSucceedsThoughTheBreakersOfAllItsCopiesAreOpen() {
    NodeGuards guards = rest.part(NodeGuards.class);

    for (int i = 0; i < 4; i++) {
      open(guards);
      open(guards, REPLICA);
      world.search(1);
    }
    world.assertNothingUnderWay();
  }

  /**
   * Sorted searches of 35 shards on a loaded node: it does not answer the can-match requests within
   * their second, as with the workload http_logs, but it answers others.
   */
  @Test
  void aLoadedNodeIsNotCutOffBecauseItAnswersSlowly() throws Exception {
    rest.cluster.index("logs", 35);
    CountDownLatch loaded = new CountDownLatch(1);
    rest.shards.beforeLook(() -> awaitUninterruptibly(loaded));
    assertAnotherIsAnswered();

    while (canMatchRequests() <= LATE_THAT_OPEN_A_BREAKER) {
      List<Future<MockHttpServletResponse>> searches = sortedSearches();
      while (!searches.stream().allMatch(Future::isDone)) {
        assertAnotherIsAnswered();
      }
      for (Future<MockHttpServletResponse> search : searches) {
        JsonNode shards = json(search.get()).path("_shards");
        assertThat(shards.path("successful").asInt()).as("%s", shards).isEqualTo(35);
      }
    }
    assertThat(rest.part(NodeGuards.class).state(PRIMARY)).isEqualTo("closed");
    assertThat(rest.part(NodeGuards.class).open()).isZero();
    loaded.countDown();
    world.assertNothingUnderWay();
  }

  private List<Future<MockHttpServletResponse>> sortedSearches() {
    List<Future<MockHttpServletResponse>> searches = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      searches.add(
          world.begun(() ->
              rest.call(
                  "POST /logs/_search?preference=_primary", "{\"sort\":[{\"at\":\"desc\"}]}")));
    }
    return searches;
  }

  private void assertAnotherIsAnswered() {
    assertThat(rest.call("GET /a/_search?preference=_primary").getStatus()).isEqualTo(200);
  }

  private long canMatchRequests() {
    return rest.shards.calls().stream().filter(call -> call.startsWith("can-match")).count();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void open(NodeGuards guards) {
    open(guards, PRIMARY);
  }

  private static void open(NodeGuards guards, String nodeId) {
    for (int i = 0; i < 20; i++) {
      guards.enter(nodeId, true).failed(new IOException("broken"));
    }
  }
}
