package io.varve.coordinator.rest.byquery;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class ByQueryEndpointsTest {

  private static final String ALL = "{\"query\":{\"match_all\":{}}}";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void thirtyDocumentsInFiveShards() {
    rest.cluster.index("a", 5);
    for (int i = 0; i < 30; i++) {
      rest.call("PUT /a/_doc/" + i, "{\"f\":1}");
    }
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 2", "5, 5", "7, 5"})
  void slicesTogetherDeleteNoMoreThanWasAllowed(int maxDocs, int slices) {
    JsonNode answer =
        json(rest.call("POST /a/_delete_by_query?slices=auto&max_docs=" + maxDocs, ALL));

    int deleted = answer.path("deleted").asInt();
    assertThat(deleted).isBetween(1, maxDocs);
    assertThat(rest.shards.documents()).isEqualTo(30 - deleted);
    assertThat(answer.path("slices").size()).isEqualTo(slices);
  }

  @Test
  void aSliceHasSomethingToDoOrIsRefused() {
    assertThat(rest.call("POST /a/_delete_by_query?slices=3&max_docs=2", ALL).getStatus())
        .isEqualTo(400);
    assertThat(rest.shards.documents()).isEqualTo(30);
  }

  @Test
  void aScrollOutlastsThePauseBehindItsFirstPage() {
    rest.call("POST /a/_delete_by_query?requests_per_second=2&scroll_size=100&scroll=1m", ALL);

    assertThat(rest.shards.keepAlives()).first().isEqualTo(60_000L + 50_000L);
  }

  @Test
  void aSliceThatFailsLeavesTheOthersAlone() {
    rest.cluster.setting("cluster.consistency.read.timeout", "20ms");
    rest.shards.fail("a2p", new ApiException(503, "node_closed_exception", "closing"));
    rest.shards.fail("a2r", new ApiException(503, "node_closed_exception", "closing"));

    MockHttpServletResponse response = rest.call("POST /a/_delete_by_query?slices=5", ALL);

    JsonNode answer = json(response);
    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(answer.path("failures")).hasSize(1);
    assertThat(answer.at("/failures/0/reason/type").asString())
        .isEqualTo("search_phase_execution_exception");
    assertThat(answer.path("deleted").asInt()).isEqualTo(30 - rest.shards.documents());
    assertThat(answer.path("deleted").asInt()).isPositive();
  }

  @Test
  void whereAllSlicesFailSoDoesTheOperation() {
    int shards = rest.cluster.state().indices().get("a").numberOfShards();
    for (int number = 0; number < shards; number++) {
      rest.cluster.lose("a", number);
    }

    MockHttpServletResponse response = rest.call("POST /a/_delete_by_query?slices=5", ALL);

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).has("error")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"''", "&max_docs=-1"})
  void withoutALimitAllIsDeleted(String limit) {
    JsonNode answer = json(rest.call("POST /a/_delete_by_query?slices=auto" + limit, ALL));

    assertThat(answer.path("total").asInt()).isPositive();
    assertThat(rest.shards.documents()).isZero();
  }
}
