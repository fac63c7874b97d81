package io.varve.coordinator.rest.consistency;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * Responses to reads while a shard changes its primary: from a copy that can answer, or late, or
 * 503 with a reason; never 404 for an existing shard.
 */
@Timeout(300)
class AnswersDuringFailoverTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String GET = "GET /a/_doc/1";
  private static final String MGET = "POST /_mget";

  private final RestHarness rest = new RestHarness();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void start() {
    rest.cluster.searchedInTurn();
    rest.cluster.setting(ClusterSettings.SUPERSEDED_GRACE, "0");
    rest.cluster.setting(ClusterSettings.READ_TIMEOUT, "5m");
    rest.cluster.index("a", 1);
    rest.call("PUT /a/_doc/1", "{\"f\":1}");
    rest.shards.calls().clear();
  }

  @AfterEach
  void close() {
    clients.shutdownNow();
    rest.close();
  }

  private MockHttpServletResponse call(String line) {
    return rest.call(
        line, line.equals(MGET) ? "{\"docs\":[{\"_index\":\"a\",\"_id\":\"1\"}]}" : null);
  }

  private static boolean isFound(MockHttpServletResponse response) {
    JsonNode json = json(response);
    return (json.has("docs") ? json.at("/docs/0") : json).path("found").asBoolean(false);
  }

  private Future<MockHttpServletResponse> begun(String line) {
    return clients.submit(() -> call(line));
  }

  private static MockHttpServletResponse answer(Future<MockHttpServletResponse> request)
      throws Exception {
    return request.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void awaitCalls(int count) {
    await().atMost(SOON).until(() -> rest.shards.calls().size() >= count);
  }

  private void fail(int status, String type, String... copyIds) {
    for (String copyId : copyIds) {
      rest.shards.fail(copyId, new ApiException(status, type, copyId + " does not serve"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, MGET})
  void aReplicaThatHasAllThatIsInTheLogAnswersForThePrimary(String line) {
    rest.shards.fail("a0p", new UnreachableException("gone", new IOException("refused")));

    assertThat(isFound(call(line))).isTrue();

    assertThat(rest.shards.calls()).containsExactly("get a0p", "get a0r");
    assertThat(rest.shards.demands()).last().matches(demand -> demand.maxStalenessMillis() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, MGET})
  void aRealtimeReadWaitsForTheNewPrimary(String line) throws Exception {
    rest.cluster.promote("a");
    Future<MockHttpServletResponse> read = begun(line);
    rest.cluster.startPrimary("a");

    assertThat(isFound(answer(read))).isTrue();
    assertThat(rest.shards.calls()).containsExactly("get a0r");
  }

  @Test
  void aReplicaThatLagsIsNotTakenForThePrimary() throws Exception {
    rest.shards.fail("a0p", new UnreachableException("gone", new IOException("refused")));
    rest.shards.lag("a0r", -1);
    Future<MockHttpServletResponse> read = begun(GET);
    awaitCalls(4);
    assertThat(read.isDone()).isFalse();

    rest.shards.heal("a0p");

    assertThat(isFound(answer(read))).isTrue();
    assertThat(rest.shards.calls()).last().isEqualTo("get a0p");
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, MGET, "GET /a/_doc/1?consistency=strong"})
  void aReadAtAHungPrimaryEndsWhenAnotherFollowedIt(String line) throws Exception {
    rest.shards.hanging.beforeExecution("a0p");
    Future<MockHttpServletResponse> read = begun(line);
    awaitCalls(1);

    rest.cluster.promote("a");
    rest.cluster.startPrimary("a");

    assertThat(isFound(answer(read))).isTrue();
    assertThat(rest.shards.calls()).first().isEqualTo("get a0p");
  }

  @Test
  void aRealtimeReadThatNobodyAnswersInTimeSaysWhatEachCopyDid() {
    rest.cluster.setting(ClusterSettings.READ_TIMEOUT, "20ms");
    fail(503, "no_shard_available_action_exception", "a0p", "a0r");

    MockHttpServletResponse response = call(GET);

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/caused_by/reason").asString())
        .isEqualTo(
            "no copy of [a][0] can answer: primary STARTED on [primary-node]: a0p does not serve;"
                + " replica STARTED on [replica-node]: a0r does not serve");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shard_not_found_exception",
        "index_shard_not_started_exception",
        "no_shard_available_action_exception"
      })
  void aSearchGoesOnToTheNextCopyWhenOneRefuses(String type) {
    fail(type.equals("shard_not_found_exception") ? 404 : 503, type, "a0p");

    for (int i = 0; i < 10; i++) {
      JsonNode answer = json(rest.call("GET /a/_search"));
      assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
      assertThat(answer.at("/_shards/failed").asInt()).isZero();
    }
  }

  @Test
  void aSearchWhoseCopiesAllRefuseWaitsUntilOneServes() throws Exception {
    fail(404, "shard_not_found_exception", "a0p", "a0r");
    Future<MockHttpServletResponse> search = begun("GET /a/_search");
    awaitCalls(2);
    assertThat(search.isDone()).isFalse();

    rest.shards.heal("a0r");

    assertThat(answer(search).getStatus()).isEqualTo(200);
  }

  @Test
  void aSearchWaitsForACopyThatRefusesWhenTheOthersCanNotBeReached() throws Exception {
    fail(404, "shard_not_found_exception", "a0p");
    rest.shards.fail("a0r", new UnreachableException("gone", new IOException("refused")));
    Future<MockHttpServletResponse> search = begun("GET /a/_search");
    awaitCalls(4);
    assertThat(search.isDone()).isFalse();

    rest.shards.heal("a0p");

    assertThat(answer(search).getStatus()).isEqualTo(200);
  }

  @Test
  void aSearchDoesNotWaitForACopyThatRefusesWhenAnotherIsBusy() throws Exception {
    fail(404, "shard_not_found_exception", "a0p");
    fail(429, "rejected_execution_exception", "a0r");

    assertThat(answer(begun("GET /a/_search")).getStatus()).isEqualTo(429);

    assertThat(rest.shards.calls()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET /a/_search", "GET /a/_count", "POST /a/_search/point_in_time?keep_alive=1m"})
  void aSearchIsAnsweredByTheReplicaThatTakesOver(String line) {
    rest.cluster.promote("a");

    assertThat(rest.call(line).getStatus()).isEqualTo(200);

    assertThat(rest.shards.calls()).hasSize(1).allMatch(call -> call.endsWith(" a0r"));
  }

  @Test
  void aSearchWaitsForTheStartOfAReplicaThatTakesOverAndRefuses() throws Exception {
    rest.cluster.promote("a");
    fail(503, "index_shard_not_started_exception", "a0r");
    Future<MockHttpServletResponse> search = begun("GET /a/_search");
    awaitCalls(1);
    rest.cluster.index("another", 1);
    assertThat(search.isDone()).isFalse();

    rest.shards.heal("a0r");
    rest.cluster.startPrimary("a");

    assertThat(answer(search).getStatus()).isEqualTo(200);
    assertThat(rest.shards.calls()).containsExactly("search a0r", "search a0r");
  }

  @Test
  void aSearchWaitsForAStartNoLongerThanItsTimeout() throws Exception {
    rest.cluster.promote("a");
    fail(503, "index_shard_not_started_exception", "a0r");

    MockHttpServletResponse response = answer(begun("GET /a/_search?timeout=20ms"));

    assertThat(response.getStatus()).isEqualTo(504);
    assertThat(text(response)).contains("no copy answered before the deadline");
  }

  @Test
  void aSearchDoesNotWaitForAPrimaryThatWasNeverStarted() throws Exception {
    rest.cluster.neverStarted("a");

    assertThat(answer(begun("GET /a/_search")).getStatus()).isEqualTo(503);

    assertThat(rest.shards.calls()).isEmpty();
  }

  @Test
  void aGetIsNotSentToAReplicaThatTakesOver() {
    rest.cluster.setting(ClusterSettings.READ_TIMEOUT, "20ms");
    rest.cluster.promote("a");

    MockHttpServletResponse response = call(GET);

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(text(response)).contains("it is being promoted or recovers");
    assertThat(rest.shards.calls()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a/_search",
        "GET /a/_count",
        "GET /a/_search?scroll=1m",
        "POST /a/_search/point_in_time?keep_alive=1m"
      })
  void aShardThatExistsIsNeverNotFound(String line) {
    rest.cluster.setting(ClusterSettings.READ_TIMEOUT, "20ms");
    fail(404, "shard_not_found_exception", "a0p", "a0r");

    MockHttpServletResponse response = rest.call(line);

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(text(response)).doesNotContain("shard_not_found_exception");
    assertThat(json(response).at("/error/root_cause/0/reason").asString())
        .contains("primary STARTED on [primary-node]: a0p does not serve");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a/_search",
        "GET /a/_count",
        "GET /a/_search?scroll=1m",
        "POST /a/_search/point_in_time?keep_alive=1m",
        "POST /a/_delete_by_query",
        "POST /a/_update_by_query"
      })
  void allShardsFailedGivesTheReasonOfEachShard(String line) {
    rest.cluster.lose("a", 0);

    MockHttpServletResponse response =
        rest.call(line, line.endsWith("by_query") ? "{\"query\":{\"match_all\":{}}}" : null);

    assertThat(response.getStatus()).isEqualTo(503);
    assertReasoned(json(response).path("error"));
  }

  @Test
  void eachSearchOfManyGivesItsReason() {
    rest.cluster.lose("a", 0);

    JsonNode answer = json(rest.call("POST /_msearch", "{\"index\":\"a\"}\n{}\n"));

    assertThat(answer.at("/responses/0/status").asInt()).isEqualTo(503);
    assertReasoned(answer.at("/responses/0/error"));
  }

  private static void assertReasoned(JsonNode error) {
    assertThat(error.path("type").asString()).isEqualTo("search_phase_execution_exception");
    assertThat(error.path("reason").asString()).isEqualTo("all shards failed");
    for (String reason : new String[] {"/root_cause/0", "/failed_shards/0/reason", "/caused_by"}) {
      assertThat(error.at(reason + "/type").asString())
          .isEqualTo("no_shard_available_action_exception");
      assertThat(error.at(reason + "/reason").asString())
          .isEqualTo(
              "no copy of [a][0] can answer: primary UNASSIGNED: NODE_LEFT;"
                  + " replica UNASSIGNED: NODE_LEFT");
      assertThat(error.at(reason + "/shard").asString()).isEqualTo("0");
    }
    assertThat(error.at("/failed_shards/0/shard").asInt(-1)).isZero();
    assertThat(error.at("/failed_shards/0/index").asString()).isEqualTo("a");
  }
}
