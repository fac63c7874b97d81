package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.client.ShardClient.BulkAnswer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Feature;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The requests that a bulk makes: how many, and with which of its parts. */
@Timeout(300)
class BulkRequestsTest {

  private static final int SHARDS = 5;
  private static final int DOCUMENTS = 60;

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void anIndexOfManyShards() {
    rest.cluster.index("a", SHARDS);
    level(Feature.NODE_BULKS.since());
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private void level(int featureLevel) {
    rest.cluster.change(state -> state.apply(new ClusterEvent.FeatureLevelRaised(featureLevel)));
  }

  /** Writes documents that reach every shard. */
  private JsonNode write(int documents) {
    StringBuilder body = new StringBuilder();
    for (int n = 0; n < documents; n++) {
      body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n");
      body.append("{}\n");
    }
    return json(rest.call("POST /a/_bulk", body.toString()));
  }

  private List<String> requests() {
    return rest.shards.calls().stream().filter(call -> call.startsWith("bulks ")).toList();
  }

  private long parts() {
    return rest.shards.calls().stream().filter(call -> call.startsWith("bulk ")).count();
  }

  @Test
  void oneRequestTakesThePartsOfAllShardsOfANode() {
    JsonNode answer = write(DOCUMENTS);

    assertThat(answer.path("errors").asBoolean()).isFalse();
    assertThat(answer.path("items").size()).isEqualTo(DOCUMENTS);
    assertThat(rest.shards.documents()).isEqualTo(DOCUMENTS);
    assertThat(requests()).containsExactly("bulks " + SHARDS);
    assertThat(parts()).isEqualTo(SHARDS);
  }

  @Test
  void aNodeOfAnEarlierLevelHasARequestForEachShard() {
    RestHarness earlier = new RestHarness();
    try (earlier) {
      earlier.cluster.index("a", SHARDS);
      earlier.cluster.change(state ->
          state.apply(new ClusterEvent.FeatureLevelRaised(Feature.NODE_BULKS.since() - 1)));
      StringBuilder body = new StringBuilder();
      for (int n = 0; n < DOCUMENTS; n++) {
        body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n{}\n");
      }
      assertThat(json(earlier.call("POST /a/_bulk", body.toString())).path("errors").asBoolean())
          .isFalse();
      assertThat(earlier.shards.calls()).hasSize(SHARDS).allMatch(call -> call.startsWith("bulk "));
    }
  }

  @Test
  void theDocumentsOfOneShardHaveARequestToTheirCopy() {
    write(1);

    assertThat(rest.shards.calls()).hasSize(1).allMatch(call -> call.startsWith("bulk "));
  }

  @Test
  void aPartThatWasNotWrittenIsSentAgainWithoutTheOthers() {
    rest.shards.nextBulk(
        new BulkAnswer.NotWritten(ErrorBody.of(409, "stale_primary_exception", "moved")));

    JsonNode answer = write(DOCUMENTS);

    assertThat(answer.path("errors").asBoolean()).isFalse();
    assertThat(rest.shards.documents()).isEqualTo(DOCUMENTS);
    assertThat(requests()).containsExactly("bulks " + SHARDS);
    assertThat(parts()).as("one was sent twice").isEqualTo(SHARDS + 1);
  }

  @Test
  void aPartThatIsRefusedFailsAlone() {
    rest.shards.nextBulk(
        new BulkAnswer.Refused(ErrorBody.of(429, "rejected_execution_exception", "too much")));

    JsonNode answer = write(DOCUMENTS);

    int refused = 0;
    for (JsonNode item : answer.path("items")) {
      refused += item.at("/index/status").asInt() == 429 ? 1 : 0;
    }
    assertThat(refused).isPositive().isLessThan(DOCUMENTS);
    assertThat(rest.shards.documents()).isEqualTo(DOCUMENTS - refused);
    assertThat(parts()).isEqualTo(SHARDS);
  }

  @Test
  void aPartWhosePrimaryHangsAndIsSupersededIsGivenUpAlone() throws Exception {
    rest.cluster.setting(ClusterSettings.SUPERSEDED_GRACE, "0");
    rest.shards.hanging.beforeExecution("a0p");
    CompletableFuture<JsonNode> bulk = CompletableFuture.supplyAsync(() -> write(DOCUMENTS));
    await().atMost(Duration.ofMinutes(1)).until(() -> parts() == SHARDS);

    rest.cluster.promote("a");

    int unknown = 0;
    for (JsonNode item : bulk.get(1, TimeUnit.MINUTES).path("items")) {
      boolean failed = item.at("/index/status").asInt() == 503;
      unknown += failed ? 1 : 0;
      assertThat(item.at("/index/error/type").asString(""))
          .isEqualTo(failed ? WriteResult.UNKNOWN_OUTCOME : "");
    }
    assertThat(unknown).isPositive().isLessThan(DOCUMENTS);
    assertThat(rest.shards.documents()).isEqualTo(DOCUMENTS - unknown);
    assertThat(parts()).as("none is sent again").isEqualTo(SHARDS);
  }

  @Test
  void aRequestThatWouldExceedTheLimitIsCut() {
    rest.cluster.setting(ClusterSettings.BULK_REQUEST_SIZE, "1b");

    JsonNode answer = write(DOCUMENTS);

    assertThat(answer.path("errors").asBoolean()).isFalse();
    assertThat(rest.shards.documents()).isEqualTo(DOCUMENTS);
    assertThat(requests()).as("no two parts fit into one").isEmpty();
    assertThat(parts()).isEqualTo(SHARDS);
  }
}
