package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient.BulkAnswer;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.CopyRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
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
 * The scenario: a primary hangs and leaves requests unanswered, and its replica is promoted.
 * Requests have a timeout of an hour, so every request that ends does so for another reason.
 */
@Timeout(300)
class SupersededPrimaryTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String BULK = "POST /a/_bulk?timeout=1h";

  private final RestHarness rest = new RestHarness();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void start() {
    rest.cluster.setting(ClusterSettings.SUPERSEDED_GRACE, "0");
    rest.cluster.index("a", 1);
  }

  @AfterEach
  void close() {
    clients.shutdownNow();
    rest.close();
  }

  private Future<MockHttpServletResponse> begun(Callable<MockHttpServletResponse> request) {
    return clients.submit(request);
  }

  private Future<MockHttpServletResponse> hanging(String line, String body) {
    long before = rest.shards.calls().size();
    Future<MockHttpServletResponse> request = begun(() -> rest.call(line, body));
    await().atMost(SOON).until(() -> rest.shards.calls().size() > before);
    return request;
  }

  private static MockHttpServletResponse answer(Future<MockHttpServletResponse> request)
      throws Exception {
    return request.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void aWriteOfAClientsIdEndsWithAnUnknownOutcomeWhenAnotherTermBegins() throws Exception {
    rest.shards.hanging.beforeExecution("a0p");
    Future<MockHttpServletResponse> write = hanging("PUT /a/_doc/1?timeout=1h", "{}");

    rest.cluster.promote("a");

    assertThat(answer(write).getStatus()).isEqualTo(503);
    assertThat(json(answer(write)).at("/error/type").asString())
        .isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(rest.shards.calls()).as("it is not sent again").containsExactly("bulk a0p");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDocumentWithoutIdIsWrittenOnceByTheNewPrimaryWhateverTheHungOneDid(boolean executed)
      throws Exception {
    if (executed) {
      rest.shards.hanging.afterExecution("a0p");
    } else {
      rest.shards.hanging.beforeExecution("a0p");
    }
    Future<MockHttpServletResponse> write =
        hanging(BULK, "{\"index\":{}}\n{\"n\":1}\n{\"create\":{}}\n{\"n\":2}\n");

    rest.cluster.promote("a");
    assertThat(write.isDone()).as("the new primary is not open yet").isFalse();
    rest.cluster.startPrimary("a");

    JsonNode items = json(answer(write)).at("/items");
    for (String item : new String[] {"/0/index", "/1/create"}) {
      assertThat(items.at(item + "/status").asInt()).isEqualTo(201);
      assertThat(items.at(item + "/_version").asInt()).isEqualTo(1);
      assertThat(items.at(item + "/_primary_term").asLong())
          .isEqualTo(executed ? FakeCluster.TERM : FakeCluster.TERM + 1);
    }
    assertThat(rest.shards.documents()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteOfASeqNoIsAppliedOnceByTheNewPrimaryOrHasAnUnknownOutcome(boolean executed)
      throws Exception {
    JsonNode first = json(rest.call("PUT /a/_doc/1", "{}"));
    if (executed) {
      rest.shards.hanging.afterExecution("a0p");
    } else {
      rest.shards.hanging.beforeExecution("a0p");
    }
    String line =
        "PUT /a/_doc/1?timeout=1h&if_seq_no=%d&if_primary_term=%d"
            .formatted(first.path("_seq_no").asLong(), first.path("_primary_term").asLong());
    Future<MockHttpServletResponse> write = hanging(line, "{\"n\":2}");

    rest.cluster.promote("a");
    rest.cluster.startPrimary("a");

    JsonNode answer = json(answer(write));
    if (executed) {
      assertThat(answer.at("/error/type").asString()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    } else {
      assertThat(answer.path("result").asString()).isEqualTo("updated");
      assertThat(answer.path("_version").asInt()).isEqualTo(2);
    }
    assertThat(json(rest.call("GET /a/_doc/1")).path("_version").asInt()).isEqualTo(2);
  }

  @Test
  void ofABulkEachItemHasTheFateThatIsSafeForIt() throws Exception {
    rest.shards.hanging.beforeExecution("a0p");
    Future<MockHttpServletResponse> write =
        hanging(
            BULK,
            """
            {"index":{"_id":"mine"}}
            {}
            {"index":{}}
            {}
            {"delete":{"_id":"mine"}}
            """);

    rest.cluster.promote("a");
    rest.cluster.startPrimary("a");

    JsonNode items = json(answer(write)).at("/items");
    assertThat(items.at("/0/index/error/type").asString()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(items.at("/1/index/status").asInt()).isEqualTo(201);
    assertThat(items.at("/2/delete/error/type").asString()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(rest.shards.documents()).isEqualTo(1);
  }

  @Test
  void theFormerPrimaryMayStillAnswerForAWhile() throws Exception {
    rest.cluster.setting(ClusterSettings.SUPERSEDED_GRACE, "1m");
    rest.shards.hanging.beforeExecution("a0p");
    Future<MockHttpServletResponse> write = hanging("PUT /a/_doc/1?timeout=1h", "{}");

    rest.cluster.promote("a");
    rest.shards.hanging.answer(
        new BulkAnswer.Results(List.of(new WriteResult.Done("created", 5, FakeCluster.TERM, 1))));

    assertThat(answer(write).getStatus()).isEqualTo(201);
  }

  @Test
  void aDocumentWithoutIdWhoseConnectionBrokeWaitsForTheNextTerm() throws Exception {
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));
    Future<MockHttpServletResponse> write = hanging("POST /a/_doc?timeout=1h", "{}");

    rest.cluster.promote("a");
    rest.cluster.startPrimary("a");

    assertThat(answer(write).getStatus()).isEqualTo(201);
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "bulk a0r");
  }

  @Test
  void withoutANewTermItsOutcomeStaysUnknown() {
    rest.cluster.stopClock();
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));

    MockHttpServletResponse response = rest.call("POST /a/_doc?timeout=20ms", "{}");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/type").asString()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(text(response)).contains("term 7 did not answer");
    assertThat(rest.shards.calls()).containsExactly("bulk a0p");
  }

  @Test
  void anUnknownOutcomeNamesTheAttemptThatWasNotAnswered() {
    rest.cluster.stopClock();
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));
    rest.shards.onBulk(_ -> rest.cluster.all("a", true, CopyRouting.State.INITIALIZING));

    MockHttpServletResponse response = rest.call("POST /a/_doc?timeout=20ms", "{}");

    assertThat(json(response).at("/error/type").asString()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(json(response).at("/error/reason").asString())
        .isEqualTo(
            "the operation may or may not be in the log: connection reset;"
                + " then: primary shard is not active");
  }

  @Test
  void theReasonIsNamedOnceIfTheTimeIsOverThen() {
    rest.cluster.stopClock();
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));
    rest.shards.onBulk(_ -> rest.cluster.pass(Duration.ofMinutes(1)));

    MockHttpServletResponse response = rest.call("POST /a/_doc?timeout=20ms", "{}");

    assertThat(json(response).at("/error/reason").asString())
        .isEqualTo("the operation may or may not be in the log: connection reset");
  }

  @Test
  void aRefusedRepetitionNamesTheAttemptThatWasNotAnswered() {
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));
    rest.shards.nextBulk(new BulkAnswer.Refused(ErrorBody.of(429, "full", "too many bytes")));
    rest.shards.onBulk(_ -> {
      rest.cluster.promote("a");
      rest.cluster.startPrimary("a");
      rest.shards.onBulk(_ -> {});
    });

    MockHttpServletResponse response = rest.call("POST /a/_doc?timeout=1h", "{}");

    assertThat(json(response).at("/error/reason").asString())
        .contains("connection reset; repeated: too many bytes");
  }

  @Test
  void anUnansweredRepetitionKeepsTheFirstReason() {
    rest.cluster.stopClock();
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));
    rest.shards.nextBulk(new BulkAnswer.Unknown("no route", false));
    rest.shards.onBulk(_ -> {
      rest.cluster.promote("a");
      rest.cluster.startPrimary("a");
      rest.shards.onBulk(_ -> {});
    });

    MockHttpServletResponse response = rest.call("POST /a/_doc?timeout=20ms", "{}");

    assertThat(json(response).at("/error/reason").asString())
        .contains("connection reset; then: the primary of term 8 did not answer");
  }

  @Test
  void whatWasCertainlyNotWrittenIsUnavailableWhenThePrimaryIsLost() {
    rest.cluster.stopClock();
    rest.shards.nextBulk(
        new BulkAnswer.Results(
            List.of(
                new WriteResult.Done("created", 5, FakeCluster.TERM, 1),
                new WriteResult.Failed(ErrorBody.of(409, WriteResult.STALE_PRIMARY, "fenced")))));
    rest.shards.onBulk(_ -> rest.cluster.all("a", true, CopyRouting.State.INITIALIZING));

    MockHttpServletResponse response =
        rest.call("POST /a/_bulk?timeout=20ms", "{\"index\":{}}\n{}\n{\"index\":{}}\n{}\n");

    JsonNode items = json(response).at("/items");
    assertThat(items.at("/0/index/status").asInt()).isEqualTo(201);
    assertThat(items.at("/1/index/error/type").asString())
        .isEqualTo("unavailable_shards_exception");
  }

  @Test
  void noCallIsKeptWhenItHasEnded() {
    rest.call("PUT /a/_doc/1", "{}");
    rest.call("GET /a/_doc/1");

    assertThat(rest.part(PrimaryCalls.class).count()).isZero();
  }
}
