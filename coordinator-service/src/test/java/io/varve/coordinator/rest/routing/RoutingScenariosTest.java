package io.varve.coordinator.rest.routing;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.routing.RetryBudget;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * A coordinator, and a primary and a replica on one node each: tests which of them is searched, how
 * failures and silence are handled, and that each search gets one answer.
 */
@Timeout(300)
class RoutingScenariosTest {

  private final RestHarness rest = new RestHarness();
  private final RoutedSearches world = new RoutedSearches(rest);

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void withoutStatisticsAnywhereTheCopiesShareTheSearches() {
    world.search(10);

    assertThat(world.searched("a0p")).isEqualTo(5);
    assertThat(world.searched("a0r")).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ars", "least_outstanding", "p2c", "round_robin", "random", "adaptive"})
  void eachStrategyAnswersEachSearchOnceAndCountsItToItsEnd(String strategy) {
    rest.cluster.setting(ClusterSettings.SELECTION, strategy);

    world.search(20);

    assertThat(rest.shards.calls()).hasSize(20);
    world.assertNothingUnderWay();
  }

  @Test
  void aNodeThatIsSlowByItsOwnWordIsAvoidedUnlessSelectionIsSwitchedOffAtRunTime() {
    rest.shards.slowness(FakeCluster.PRIMARY_NODE, 10);
    rest.shards.slowness(FakeCluster.REPLICA_NODE, 1);
    world.search(20);
    rest.shards.calls().clear();
    world.search(20);
    assertThat(world.searched("a0r")).isEqualTo(20);

    rest.cluster.setting(ClusterSettings.ADAPTIVE_SELECTION, "false");
    rest.shards.calls().clear();
    world.search(20);
    assertThat(world.searched("a0p")).isEqualTo(10);

    rest.cluster.setting(ClusterSettings.ADAPTIVE_SELECTION, "true");
    rest.shards.calls().clear();
    world.search(10);
    assertThat(world.searched("a0r")).as("what was known before is known still").isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    "_primary,a0p",
    "_only_nodes:primary-node,a0p",
    "_prefer_nodes:primary-node,a0p",
    "_primary_first,a0p"
  })
  void whatAClientPrefersIsDoneThoughTheCopyIsSlow(String preference, String copyId) {
    rest.shards.slowness(FakeCluster.PRIMARY_NODE, 10);
    world.search(10);
    rest.shards.calls().clear();

    for (int i = 0; i < 5; i++) {
      rest.call("GET /a/_search?preference=" + preference);
    }

    assertThat(world.searched(copyId)).isEqualTo(5);
  }

  @Test
  void shardsAloneAreNoPreferenceForCopies() {
    rest.shards.slowness(FakeCluster.PRIMARY_NODE, 10);
    world.search(20);
    rest.shards.calls().clear();

    for (int i = 0; i < 5; i++) {
      rest.call("GET /a/_search?preference=_shards:0");
    }

    assertThat(world.searched("a0r")).isEqualTo(5);
  }

  @Test
  void theSameWordOfAClientLeadsToTheSameCopyEachTime() {
    rest.shards.slowness(FakeCluster.PRIMARY_NODE, 10);
    for (int i = 0; i < 100; i++) {
      rest.call("GET /a/_search?preference=session");
    }

    assertThat(rest.shards.calls()).hasSize(100);
    assertThat(rest.shards.calls().stream().distinct()).hasSize(1);
  }

  @Test
  void readingADocumentTellsNothingOfNodes() {
    for (int i = 0; i < 5; i++) {
      rest.call("GET /a/_doc/1?realtime=false");
    }

    assertThat(rest.selection().statistics()).isEmpty();
  }

  @Test
  void aReplyThatIsLostIsAskedOfTheNextCopyAndThatNodeIsLeftAlone() {
    rest.shards.fail("a0p", new UnreachableException("gone", new IOException("gone")));

    world.search(5);

    assertThat(world.awaited(FakeCluster.PRIMARY_NODE)).isEqualTo(1);
    assertThat(world.searched("a0r")).isEqualTo(5);
    world.assertNothingUnderWay();
  }

  @ParameterizedTest
  @CsvSource({
    "429,rejected_execution_exception,200,2",
    "408,request_timeout,200,2",
    "503,node_closed_exception,200,2",
    "400,query_shard_exception,400,1"
  })
  void whatIsWorthASecondAttemptGetsOne(int status, String type, int answered, int attempts) {
    rest.shards.fail("a0p", new ApiException(status, type, "no"));

    assertThat(rest.call("GET /a/_search").getStatus()).isEqualTo(answered);

    assertThat(rest.shards.calls()).hasSize(attempts);
    world.assertNothingUnderWay();
  }

  @Test
  void whenAllCopiesRefuseTheSearchIsRefusedWith429() {
    rest.shards.fail("a0p", new ApiException(429, "rejected_execution_exception", "full"));
    rest.shards.fail("a0r", new ApiException(429, "rejected_execution_exception", "full"));

    MockHttpServletResponse response = rest.call("GET /a/_search");

    assertThat(response.getStatus()).isEqualTo(429);
    assertThat(json(response).at("/error/root_cause/0/type").asString())
        .isEqualTo("rejected_execution_exception");
    assertThat(rest.shards.calls()).hasSize(2);
  }

  @Test
  void furtherAttemptsEndWithTheirBudget() {
    rest.cluster.setting(ClusterSettings.RETRY_BUDGET, "0");
    rest.cluster.setting(ClusterSettings.SELECTION, "round_robin");
    rest.shards.fail("a0p", new ApiException(429, "rejected_execution_exception", "full"));
    rest.shards.fail("a0r", new ApiException(429, "rejected_execution_exception", "full"));

    for (int i = 0; i < 150; i++) {
      rest.call("GET /a/_search");
    }

    assertThat(rest.shards.calls().size()).isEqualTo(150 + RetryBudget.MOST);
  }

  @Test
  void aFailingNodeAttractsNoFirstAttempts() {
    rest.shards.fail("a0p", new ApiException(500, "internal_server_error", "broken"));

    world.search(50);

    assertThat(world.awaited(FakeCluster.PRIMARY_NODE)).isLessThan(10);
    assertThat(world.searched("a0r")).isEqualTo(50);
  }

  @Test
  void aSilentCopyIsHedgedItsAnswerNeverSeenAndItsSearchCancelledOnItsNode() {
    world.learnResponseTimes("1");
    world.silent("a0p");

    int searches = 0;
    // A hedge may win before the first attempt was sent; then no copy was silent.
    while (world.searched("a0p") == 0
        || world.stats(FakeCluster.REPLICA_NODE).at("/hedges").asInt() == 0) {
      JsonNode answer = json(rest.call("GET /a/_search"));
      assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
      assertThat(answer.at("/_shards/successful").asInt()).isEqualTo(1);
      searches++;
    }

    assertThat(world.searched("a0r")).isEqualTo(searches);
    await()
        .atMost(RoutedSearches.SOON)
        .untilAsserted(() ->
            assertThat(rest.nodes.calls())
                .anyMatch(call -> call.startsWith("cancel primary-node")));
    world.assertNothingUnderWay();
    assertThat(world.stats(FakeCluster.PRIMARY_NODE).at("/lost").asInt()).isPositive();
  }

  @Test
  void hedgesStayWithinTheirBudgetHoweverSlowAllCopiesGrow() {
    world.learnResponseTimes("0.05");
    rest.shards.before("a0p", RoutingScenariosTest::slow);
    rest.shards.before("a0r", RoutingScenariosTest::slow);

    world.search(60);

    assertThat(hedges()).isLessThanOrEqualTo(160 * 5 / 100);
  }

  private static void slow() {
    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
  }

  private long hedges() {
    return rest.selection().statistics().values().stream()
        .mapToLong(node -> node.adaptive().sent().hedges())
        .sum();
  }

  @Test
  void withoutHedgingEachShardIsAskedOnce() {
    world.learnResponseTimes("0.05");
    rest.cluster.setting(ClusterSettings.HEDGING, "false");
    rest.shards.before("a0p", RoutingScenariosTest::slow);

    world.search(10);

    assertThat(hedges()).isZero();
  }

  @Test
  void atItsDeadlineASearchSaysWhatItHas() {
    rest.cluster.index("b", 1);
    world.silent("b0p");
    world.silent("b0r");

    // A search in which the other index was late too does not count.
    JsonNode answer =
        await()
            .atMost(RoutedSearches.SOON)
            .until(
                () -> json(rest.call("GET /a,b/_search?timeout=100ms")),
                found -> found.at("/_shards/failed").asInt() == 1);

    assertThat(answer.at("/timed_out").asBoolean()).isTrue();
    assertThat(answer.at("/_shards/failures/0/index").asString()).isEqualTo("b");
    assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
    world.assertNothingUnderWay();
  }

  @Test
  void theFiguresHaveTheDialectsFieldsAndAPointInTheRankWhateverTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      rest.shards.slowness(FakeCluster.PRIMARY_NODE, 1);
      rest.shards.slowness(FakeCluster.REPLICA_NODE, 1);
      world.search(4);

      JsonNode shown = world.stats(FakeCluster.PRIMARY_NODE);
      assertThat(shown.at("/outgoing_searches").asInt()).isZero();
      assertThat(shown.at("/avg_queue_size").isNumber()).isTrue();
      assertThat(shown.at("/avg_service_time_ns").asLong()).isPositive();
      assertThat(shown.at("/avg_response_time_ns").asLong()).isPositive();
      assertThat(shown.at("/rank").asString()).matches("\\d+\\.\\d");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aNodeThatHasLeftIsForgotten() {
    world.search(4);
    assertThat(rest.selection().statistics()).containsKey(FakeCluster.REPLICA_NODE);

    long before = rest.selection().sent().requests();
    rest.cluster.leave(FakeCluster.REPLICA_NODE);
    world.search(1);

    assertThat(rest.selection().statistics()).doesNotContainKey(FakeCluster.REPLICA_NODE);
    assertThat(rest.selection().sent().requests())
        .as("what was sent there was sent all the same")
        .isGreaterThan(before);
  }

  @Test
  void anAnswerThatNobodyUnderstandsIsFollowedByTheNextCopy() {
    rest.shards.fail("a0p", new MalformedRecordException("of format 9"));

    world.search(5);

    assertThat(world.searched("a0p")).isPositive();
    assertThat(world.searched("a0r")).isEqualTo(5);
    world.assertNothingUnderWay();
  }
}
