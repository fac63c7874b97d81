package io.varve.coordinator.rest.search;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Points in time and scrolls whose shards, nodes or first responses are lost. */
class ReaderContextsTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void threeShards() {
    rest.cluster.searchedInTurn();
    rest.cluster.index("a", 3);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private String openPit() {
    String id =
        json(rest.call("POST /a/_search/point_in_time?keep_alive=1m")).path("pit_id").asString();
    rest.shards.calls().clear();
    return id;
  }

  private static String inPit(String id, String more) {
    return "{\"pit\":{\"id\":\"" + id + "\"}" + more + "}";
  }

  private static String slice(int id) {
    return ",\"slice\":{\"id\":" + id + ",\"max\":2}";
  }

  /** The shards that were asked, without duplicates. */
  private List<String> asked() {
    List<String> asked =
        rest.shards.calls().stream().map(call -> call.substring(7, 9)).sorted().toList();
    rest.shards.calls().clear();
    return asked;
  }

  @Test
  void aPointInTimeTellsWhichShardsItHasLost() {
    String id = openPit();
    rest.cluster.lose("a", 1);

    JsonNode answer = json(rest.call("POST /_search", inPit(id, "")));

    assertThat(answer.at("/_shards/total").asInt()).isEqualTo(3);
    assertThat(answer.at("/_shards/successful").asInt()).isEqualTo(2);
    assertThat(answer.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(answer.at("/_shards/failures/0/shard").asInt()).isEqualTo(1);
    assertThat(answer.at("/_shards/failures/0/reason/type").asString())
        .isEqualTo("search_context_missing_exception");
  }

  @Test
  void whoeverWantsAllOfAPointInTimeGetsNoPart() {
    String id = openPit();
    rest.cluster.lose("a", 1);

    MockHttpServletResponse response =
        rest.call("POST /_search?allow_partial_search_results=false", inPit(id, ""));

    assertThat(response.getStatus()).isEqualTo(404);
    assertThat(json(response).at("/error/reason").asString()).isEqualTo("Partial shards failure");
  }

  @Test
  void whatAPointInTimeLosesMovesNothingToAnotherSlice() {
    String id = openPit();
    rest.call("POST /_search", inPit(id, slice(0)));
    assertThat(asked()).containsExactly("a0", "a2");
    rest.call("POST /_search", inPit(id, slice(1)));
    assertThat(asked()).containsExactly("a1");
    rest.cluster.lose("a", 0);

    JsonNode first = json(rest.call("POST /_search", inPit(id, slice(0))));
    assertThat(asked()).containsExactly("a2");
    assertThat(first.at("/_shards/total").asInt()).isEqualTo(2);
    assertThat(first.at("/_shards/failed").asInt()).isEqualTo(1);
    JsonNode second = json(rest.call("POST /_search", inPit(id, slice(1))));
    assertThat(asked()).containsExactly("a1");
    assertThat(second.at("/_shards/failed").asInt()).isZero();
  }

  @Test
  void aPointInTimeThatMayStillBeOpenIsNotCalledDeleted() {
    String id = openPit();
    String body = "{\"pit_id\":\"" + id + "\"}";
    rest.nodes.lose(FakeCluster.REPLICA_NODE);
    rest.nodes.lose(FakeCluster.PRIMARY_NODE);

    JsonNode answer = json(rest.call("DELETE /_search/point_in_time", body));

    assertThat(answer.at("/pits/0/successful").asBoolean()).isFalse();
    assertThat(answer.at("/pits/0/pit_id").asString()).isEqualTo(id);
  }

  @Test
  void aScrollWhoseSearchFailsIsLetGo() {
    rest.cluster.setting("cluster.consistency.read.timeout", "20ms");
    rest.shards.fail("a1p", new ApiException(503, "node_closed_exception", "closing"));
    rest.shards.fail("a1r", new ApiException(503, "node_closed_exception", "closing"));

    MockHttpServletResponse response =
        rest.call("GET /a/_search?scroll=1m&allow_partial_search_results=false");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(rest.nodes.calls()).contains("release primary-node", "release replica-node");
  }

  @Test
  void aScrollThatWasAnsweredStays() {
    assertThat(rest.call("GET /a/_search?scroll=1m").getStatus()).isEqualTo(200);

    assertThat(rest.nodes.calls()).isEmpty();
  }

  @Test
  void aScrollOverNothingGoesOnWithNothing() {
    JsonNode first = json(rest.call("GET /none*/_search?scroll=1m"));
    String body = "{\"scroll_id\":\"" + first.path("_scroll_id").asString() + "\"}";

    MockHttpServletResponse next = rest.call("POST /_search/scroll", body);

    assertThat(next.getStatus()).isEqualTo(200);
    assertThat(json(next).at("/hits/hits")).isEmpty();
    assertThat(json(next).at("/hits")).isEqualTo(first.at("/hits"));
    assertThat(json(next).at("/_shards")).isEqualTo(first.at("/_shards"));
  }
}
