package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import io.varve.rpc.ReadDemand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Writes wait for visibility while the replica is not started in the cluster state. */
class StartingCopiesTest {

  private static final String WRITE = "PUT /a/_doc/1?refresh=wait_for&timeout=2s";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void start() {
    rest.cluster.index("a", 1);
    rest.cluster.all("a", false, CopyRouting.State.INITIALIZING);
    rest.cluster.stopClock();
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private JsonNode written() {
    MockHttpServletResponse response = rest.call(WRITE, "{}");
    assertThat(response.getStatus()).isEqualTo(201);
    return json(response);
  }

  private void replicas(CopyRouting... replicas) {
    rest.cluster.change(state -> {
      IndexMetadata index = state.indices().get("a");
      List<CopyRouting> copies = new ArrayList<>(List.of(index.shard(0).primary()));
      copies.addAll(List.of(replicas));
      return FakeCluster.copy(
          state,
          state.nodes(),
          Map.of(
              "a",
              index.withShards(
                  shard -> new ShardRouting(shard.shard(), shard.primaryTerm(), copies))));
    });
  }

  @Test
  void aCopyThatIsAboutToBeReportedIsWaitedFor() {
    rest.shards.lag("a0r", -1);

    JsonNode answer = written();

    assertThat(answer.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(answer.at("/_shards/failures/0/reason/type").asString())
        .isEqualTo(ReadDemand.TIMEOUT_TYPE);
  }

  @Test
  void aCopyThatCannotBeReachedMayHaveStarted() {
    rest.shards.fail("a0r", new UnreachableException("cut off", new RuntimeException()));

    assertThat(written().at("/_shards/failed").asInt()).isEqualTo(1);
  }

  @Test
  void aCopyThatIsNotStartedAfterThePublicationIsNotWaitedFor() {
    rest.shards.fail(
        "a0r", new ApiException(503, "no_shard_available_action_exception", "COPYING"));

    assertThat(written().at("/_shards/failed").asInt()).isZero();
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "visible>=0 a0p", "visible>=0 a0r");
  }

  @Test
  void aCopyThatIsNotStartedIsAskedOnlyAfterThePublication() {
    rest.shards.lag("a0p", -1);
    rest.shards.lag("a0r", -1);

    JsonNode answer = written();

    assertThat(answer.at("/_shards/failed").asInt()).isPositive();
    assertThat(rest.shards.calls()).contains("visible>=0 a0p").doesNotContain("visible>=0 a0r");
  }

  @Test
  void aCopyThatThisCoordinatorDoesNotKnowYetIsWaitedFor() {
    CopyRouting unknown =
        new CopyRouting(
            "a0r2", false, CopyRouting.State.INITIALIZING, FakeCluster.REPLICA_NODE, "");
    replicas();
    rest.cluster.inTheLog(() -> replicas(unknown));
    rest.shards.lag("a0r2", -1);

    JsonNode answer = written();

    assertThat(answer.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(rest.shards.calls()).contains("visible>=0 a0p", "visible>=0 a0r2");
  }

  @Test
  void aWriteSaysThatItsCoordinatorMayLackACopy() {
    rest.shards.fail(
        "a0r", new ApiException(503, "no_shard_available_action_exception", "COPYING"));
    rest.cluster.delayLog(Duration.ofDays(1));

    JsonNode answer = written();

    assertThat(answer.at("/_shards/failures/0/reason/reason").asString())
        .contains("whether the shard has other copies");
  }

  @Test
  void aLogThatAnswersLateIsWaitedFor() {
    rest.cluster.delayLog(Duration.ofMillis(1_500));

    assertThat(written().at("/_shards/failed").asInt()).isZero();
  }

  @Test
  void aReadThatRefreshesDoesNotNeedTheLog() {
    assertThat(written().at("/_shards/failed").asInt()).isZero();
    rest.cluster.delayLog(Duration.ofDays(1));
    long before = rest.cluster.clock().nanos();

    assertThat(rest.call("GET /a/_doc/1?refresh=true").getStatus()).isNotEqualTo(503);

    assertThat(rest.cluster.clock().nanos()).isEqualTo(before);
  }

  @Test
  void noneIsReportedWhoseShardIsComplete() {
    assertThat(written().at("/_shards/failed").asInt()).isZero();
  }
}
