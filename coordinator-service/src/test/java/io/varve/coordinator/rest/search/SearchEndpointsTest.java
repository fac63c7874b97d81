package io.varve.coordinator.rest.search;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class SearchEndpointsTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void oneIndex() {
    rest.cluster.searchedInTurn();
    rest.cluster.index("a", 1);
    rest.call("PUT /a/_doc/1", "{\"f\":1}");
    rest.shards.calls().clear();
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void theCopiesOfAShardTakeTurns() {
    for (int i = 0; i < 3; i++) {
      rest.call("GET /a/_search");
    }

    assertThat(rest.shards.calls()).containsExactly("search a0p", "search a0r", "search a0p");
  }

  @Test
  void aHitIsShownWithItsSource() {
    JsonNode answer = json(rest.call("POST /a/_search", "{\"query\":{\"match_all\":{}}}"));

    assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(answer.at("/hits/hits/0/_index").asString()).isEqualTo("a");
    assertThat(answer.at("/hits/hits/0/_source/f").asInt()).isEqualTo(1);
    assertThat(answer.at("/_shards").toString())
        .isEqualTo("{\"total\":1,\"successful\":1,\"skipped\":0,\"failed\":0}");
  }

  @Test
  void aFailedCopyIsFollowedByTheNext() {
    rest.shards.fail("a0p", new UnreachableException("gone", new IOException("gone")));

    MockHttpServletResponse response = rest.call("GET /a/_search");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(json(response).at("/_shards/failed").asInt()).isZero();
    assertThat(rest.shards.calls()).containsExactly("search a0p", "search a0r");
  }

  @Test
  void whatTheRequestIsToBlameForIsNotTriedAgain() {
    rest.shards.fail("a0p", new ApiException(400, "query_shard_exception", "bad"));

    MockHttpServletResponse response = rest.call("GET /a/_search");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/type").asString())
        .isEqualTo("search_phase_execution_exception");
    assertThat(json(response).at("/error/root_cause/0/type").asString())
        .isEqualTo("query_shard_exception");
    assertThat(json(response).at("/error/failed_shards/0/index").asString()).isEqualTo("a");
    assertThat(rest.shards.calls()).containsExactly("search a0p");
  }

  @Test
  void aShardThatFailsOnEveryCopyIsAFailureAmongOthers() {
    rest.cluster.index("b", 1);
    rest.cluster.setting(ClusterSettings.READ_TIMEOUT, "20ms");
    rest.shards.fail("b0p", new ApiException(503, "node_closed_exception", "closing"));
    rest.shards.fail("b0r", new ApiException(503, "node_closed_exception", "closing"));

    JsonNode answer = json(rest.call("GET /a,b/_search"));

    assertThat(answer.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(answer.at("/_shards/failures/0/index").asString()).isEqualTo("b");
    assertThat(rest.call("GET /a,b/_search?allow_partial_search_results=false").getStatus())
        .isEqualTo(503);
  }

  @Test
  void withoutAnyCopyAllShardsFailed() {
    rest.cluster.lose("a", 0);

    MockHttpServletResponse response = rest.call("GET /a/_search");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/reason").asString()).isEqualTo("all shards failed");
  }

  @ParameterizedTest
  @CsvSource({
    "_primary,search a0p",
    "_replica,search a0r",
    "_primary_first,search a0p",
    "_replica_first,search a0r",
    "_only_nodes:replica-node,search a0r",
    "_prefer_nodes:primary-node,search a0p",
  })
  void preferencesAreKept(String preference, String call) {
    rest.call("GET /a/_search?preference=" + preference);
    rest.call("GET /a/_search?preference=" + preference);

    assertThat(rest.shards.calls()).containsExactly(call, call);
  }

  @Test
  void aKeyOfTheClientsLeadsToTheSameCopy() {
    rest.call("GET /a/_search?preference=session-1");
    rest.call("GET /a/_search?preference=session-1");

    assertThat(rest.shards.calls().stream().distinct()).hasSize(1);
    assertThat(rest.call("GET /a/_search?preference=_nonsense").getStatus()).isEqualTo(400);
  }

  @Test
  void anEmptyExpressionFindsNothing() {
    JsonNode answer = json(rest.call("GET /z*/_search"));

    assertThat(answer.at("/hits/total/value").asInt()).isZero();
    assertThat(answer.at("/_shards/total").asInt()).isZero();
  }

  @Test
  void counts() {
    assertThat(json(rest.call("GET /a/_count")).path("count").asInt()).isEqualTo(1);
    assertThat(rest.call("GET /a/_count", "{\"size\":1}").getStatus()).isEqualTo(400);
    assertThat(rest.call("GET /_cat/count?h=count").getContentAsByteArray()).startsWith('1');
  }

  @Test
  void theResultWindowIsLimited() {
    MockHttpServletResponse response = rest.call("GET /a/_search?from=9999&size=10");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/root_cause/0/reason").asString())
        .startsWith("Result window is too large");
  }

  @Test
  void theReplicationStatesOfTheHitsAreAskedOfThePrimary() {
    rest.cluster.index("strong", 1, Map.of("index.replication.consistency", "strong"));
    rest.call("PUT /strong/_doc/1", "{\"f\":1}");
    rest.call("PUT /strong/_doc/2", "{\"f\":2}");
    rest.shards.calls().clear();

    JsonNode answer = json(rest.call("GET /strong/_search?replication_state=true"));

    assertThat(answer.at("/hits/hits"))
        .hasSize(2)
        .extracting(hit -> hit.path("_replication").toString())
        .containsOnly(
            "{\"state\":\"unreplicated\",\"code\":3}", "{\"state\":\"replicated\",\"code\":0}");
    assertThat(rest.shards.calls()).contains("replication-states strong0p");
    assertThat(json(rest.call("GET /strong/_search")).toString()).doesNotContain("_replication");
  }

  @Test
  void aPrimaryThatDoesNotAnswerMakesTheStatesUnknownAndTheSearchSucceeds() {
    rest.cluster.index("strong", 1, Map.of("index.replication.consistency", "strong"));
    rest.call("PUT /strong/_doc/1", "{\"f\":1}");
    rest.shards.fail("strong0p", new UnreachableException("gone", new IOException("gone")));

    JsonNode answer = json(rest.call("GET /strong/_search?replication_state=true"));

    assertThat(answer.at("/hits/hits/0/_replication").toString())
        .isEqualTo("{\"state\":\"unknown\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "/a/_search?replication_state=true, index.replication.consistency",
    "/strong/_search?replication_state=true&scroll=1m, scroll",
    "/a/_doc/1?replication_state=true, index.replication.consistency",
    "/strong/_source/1?replication_state=true, unrecognized parameter",
  })
  void statesThatNobodyKnowsAreRefused(String path, String reason) {
    rest.cluster.index("strong", 1, Map.of("index.replication.consistency", "strong"));

    MockHttpServletResponse response = rest.call("GET " + path);

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/reason").asString())
        .contains("replication_state")
        .contains(reason);
  }

  @Test
  void aGetShowsTheReplicationStateOfItsDocument() {
    rest.cluster.index("strong", 1, Map.of("index.replication.consistency", "strong"));
    rest.call("PUT /strong/_doc/1", "{\"f\":1}");

    JsonNode shown = json(rest.call("GET /strong/_doc/1?replication_state=true"));

    assertThat(shown.path("_replication").path("code").asInt(-1)).isIn(0, 3);
    assertThat(shown.at("/_source/f").asInt()).isEqualTo(1);
    assertThat(json(rest.call("GET /strong/_doc/1")).has("_replication")).isFalse();
    MockHttpServletResponse missing = rest.call("GET /strong/_doc/9?replication_state=true");
    assertThat(missing.getStatus()).isEqualTo(404);
    assertThat(json(missing).has("_replication")).isFalse();
  }
}
