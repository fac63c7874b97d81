package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What operators see of the records of strong indices, before and after a primary is killed. */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class WatchedReplicationTest {

  private RunningCluster cluster;

  @BeforeEach
  void take(RunningCluster shared) throws IOException {
    cluster = shared;
    Patience.begin(cluster.rest());
  }

  private TestIndex strong(String name, String type, String appeals) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), name);
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"-1",
              "index.replication.type":"%s","index.replication.consistency":"strong",
              "index.replication.appeals":"%s"}}
            """
                .formatted(type, appeals))
        .orThrow();
    index.awaitGreen();
    return index;
  }

  private long figure(TestIndex index, String column) throws IOException {
    JsonNode row =
        cluster
            .rest()
            .get("/_cat/replication/" + index.name() + "?format=json&h=" + column)
            .orThrow()
            .json()
            .path(0);
    String value = row.path(column).asString("");
    return value.isEmpty() ? -1 : Long.parseLong(value);
  }

  /** The counts of a copy that has just changed may be shown later. */
  private void awaitFigure(TestIndex index, String column, long expected) {
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(figure(index, column)).as(column).isEqualTo(expected));
  }

  private void killPrimary(TestIndex index) throws Exception {
    long term =
        Await.within(TestIndex.SOON).until(() -> figure(index, "term"), shown -> shown >= 1);
    cluster.kill(index.nodeOfPrimary());
    // Its process is restarted, and may get the primary again.
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(figure(index, "term")).isGreaterThan(term));
    index.awaitGreen();
  }

  private static List<Integer> codes(JsonNode search) {
    return search
        .at("/hits/hits")
        .valueStream()
        .map(hit -> hit.at("/_replication/code").asInt(-1))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void withoutAppealsTheGaugeIsTheLiveDocumentsAndFallsWithEachReadDocument(String type)
      throws Exception {
    TestIndex index = strong("watched-" + type.toLowerCase(Locale.ROOT), type, "none");
    index.index(0, 10);
    index.delete(8, 10);
    index.put(0);
    index.refresh();
    killPrimary(index);

    awaitFigure(index, "unreplicated_records", 8);
    assertThat(codes(index.get("/_search?replication_state=true"))).hasSize(8).containsOnly(3);
    awaitFigure(index, "re_repl_success", 0);

    index.get("/_doc/d3");
    index.get("/_doc/d4");
    index.get("/_doc/d3");
    assertThat(index.get("/_doc/d3?replication_state=true").at("/_replication/state").asString())
        .isEqualTo("replicated");
    awaitFigure(index, "unreplicated_records", 6);
    awaitFigure(index, "re_repl_success", 2);
    assertThat(codes(index.get("/_search?replication_state=true")))
        .filteredOn(code -> code == 0)
        .hasSize(2);

    Await.within(TestIndex.SOON)
        .untilAsserted(() -> {
          JsonNode nodes = cluster.rest().get("/_nodes/stats/rereplication").orThrow().json();
          assertThat(nodes.findValues(index.name() + "-re-repl"))
              .singleElement()
              .satisfies(histogram -> {
                assertThat(histogram.path("total").asInt()).isEqualTo(2);
                assertThat(histogram.has(">64ms")).isTrue();
              });
        });

    index.call("POST", "/_flush", "").orThrow();
    index.call("POST", "/_forcemerge?max_num_segments=1", "").orThrow();
    index.refresh();
    // Known by seq_no.
    awaitFigure(index, "unreplicated_records", 6);
    assertThat(codes(index.get("/_search?replication_state=true")))
        .filteredOn(code -> code == 0)
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void theWatermarkExoneratesAllRecordsWithoutAQuestionForASingleOne(String type) throws Exception {
    TestIndex index = strong("watched-appeals-" + type.toLowerCase(Locale.ROOT), type, "watermark");
    index.index(0, 10);
    index.refresh();
    killPrimary(index);

    awaitFigure(index, "unreplicated_records", 0);
    awaitFigure(index, "appeals_records_exonerated", 10);
    awaitFigure(index, "re_repl_success", 0);
    assertThat(codes(index.get("/_search?replication_state=true"))).hasSize(10).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aPeekProvesAllRecordsAndChangesNone(String type) throws Exception {
    TestIndex index = strong("peeked-" + type.toLowerCase(Locale.ROOT), type, "none");
    index.index(0, 30);
    index.delete(28, 30);
    index.refresh();
    killPrimary(index);
    awaitFigure(index, "unreplicated_records", 28);
    String before = versions(index);

    JsonNode answer = index.call("POST", "/_rereplicate?method=peek", "").orThrow().json();

    assertThat(answer.path("checked").asInt()).isEqualTo(28);
    assertThat(answer.path("re_replicated").asInt()).isEqualTo(28);
    assertThat(answer.path("failures")).isEmpty();
    awaitFigure(index, "unreplicated_records", 0);
    awaitFigure(index, "re_repl_success", 28);
    assertThat(versions(index)).isEqualTo(before);
    assertThat(codes(index.get("/_search?replication_state=true&size=50")))
        .hasSize(28)
        .containsOnly(0);

    JsonNode again = index.call("POST", "/_rereplicate", "").orThrow().json();
    assertThat(again.path("checked").asInt()).isZero();
  }

  private static String versions(TestIndex index) throws IOException {
    return index
        .get("/_search?size=50&sort=n&seq_no_primary_term=true&version=true")
        .at("/hits/hits")
        .toString();
  }

  @Test
  void aCheckpointProvesAllRecordsWithoutAQuestionForASingleOne() throws Exception {
    TestIndex index = strong("checkpointed", "DOCUMENT", "none");
    index.index(0, 10);
    index.refresh();
    killPrimary(index);
    awaitFigure(index, "unreplicated_records", 10);

    index.call("POST", "/_rereplicate?method=checkpoint", "").orThrow();

    awaitFigure(index, "unreplicated_records", 0);
    awaitFigure(index, "appeals_records_exonerated", 10);
    awaitFigure(index, "re_repl_success", 0);
  }
}
