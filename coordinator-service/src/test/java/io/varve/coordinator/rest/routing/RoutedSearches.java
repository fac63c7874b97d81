package io.varve.coordinator.rest.routing;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.RestHarness;
import io.varve.selection.NodeStatistics;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * A coordinator that searches index {@code a}: one shard, copies {@code a0p} and {@code a0r} on one
 * node each. Nothing is searched twice unless a test requests it, however slow this machine is.
 */
final class RoutedSearches implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(60);

  private final RestHarness rest;
  private final CountDownLatch silence = new CountDownLatch(1);
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

  RoutedSearches(RestHarness rest) {
    this.rest = rest;
    rest.cluster.setting(ClusterSettings.SELECTION_PROBES, "0");
    rest.cluster.setting(ClusterSettings.HEDGING_BUDGET, "0");
    rest.cluster.index("a", 1);
    rest.call("PUT /a/_doc/1", "{\"f\":1}");
    rest.shards.calls().clear();
  }

  void search(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(rest.call("GET /a/_search").getStatus()).isEqualTo(200);
    }
  }

  /** Starts a search that may take long. */
  Future<MockHttpServletResponse> searching(String query) {
    return begun(() -> rest.call("GET /a/_search" + query));
  }

  Future<MockHttpServletResponse> begun(Callable<MockHttpServletResponse> search) {
    return clients.submit(search);
  }

  long searched(String copyId) {
    return rest.shards.calls().stream().filter(("search " + copyId)::equals).count();
  }

  /** The copy does not answer until {@link #speak} or an interrupt. */
  void silent(String copyId) {
    rest.shards.before(
        copyId,
        () -> {
          try {
            silence.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreachableException("interrupted", e);
          }
        });
  }

  /** Silent copies answer, and from now on answer immediately. */
  void speak() {
    silence.countDown();
  }

  /**
   * Sends enough searches without hedges for the selection to learn the usual response time. The
   * budget for hedges, a fraction of these searches, is then available.
   */
  void learnResponseTimes(String budget) {
    rest.cluster.setting(ClusterSettings.HEDGING, "false");
    rest.cluster.setting(ClusterSettings.HEDGING_BUDGET, budget);
    rest.shards.workMillis(1);
    search(100);
    rest.shards.calls().clear();
    rest.cluster.setting(ClusterSettings.HEDGING, "true");
  }

  JsonNode stats(String nodeId) {
    return json(rest.call("GET /_nodes/stats/adaptive_selection"))
        .at("/nodes/coordinator-node/adaptive_selection/" + nodeId);
  }

  /** The searches without shadows, which depend on time and not on the number of searches. */
  long awaited(String nodeId) {
    NodeStatistics.Counts sent = rest.selection().statistics().get(nodeId).adaptive().sent();
    return sent.requests() - sent.shadows();
  }

  void assertNothingUnderWay() {
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(rest.selection().statistics().values())
                .allSatisfy(node -> assertThat(node.outgoingSearches()).isZero()));
  }

  @Override
  public void close() {
    speak();
    clients.shutdownNow();
    rest.close();
  }
}
