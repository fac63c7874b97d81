package io.varve.coordinator.rest.cat;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class CatTablesTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void twoIndices() {
    rest.cluster.index("a", 1);
    rest.cluster.index("longer", 1);
    rest.cluster.all("longer", false, CopyRouting.State.INITIALIZING);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void numbersStandToTheRightAndNothingBehindTheLastColumn() {
    assertThat(text(rest.call("GET /_cat/indices?h=index,rep,docs.count,store.size,health&v")))
        .isEqualTo(
            """
            index  rep docs.count store.size health
            a        1          0        4kb green
            longer   1          0        2kb yellow
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "h=i&s=i:desc | longer,a",
        "h=index&s=store.size | longer,a",
        "h=index&health=yellow | longer",
        "h=sta* | open,open",
        "h=ss&bytes=b | 4096,2048",
      })
  void columnsAndOrderAreChosen(String query, String lines) {
    assertThat(text(rest.call("GET /_cat/indices?" + query)).lines().map(String::strip).toList())
        .isEqualTo(List.of(lines.split(",", -1)));
  }

  @Test
  void jsonHoldsStrings() {
    JsonNode rows = json(rest.call("GET /_cat/indices?format=JSON&h=index,pri&s=index"));

    assertThat(rows.toString())
        .isEqualTo("[{\"index\":\"a\",\"pri\":\"1\"},{\"index\":\"longer\",\"pri\":\"1\"}]");
  }

  @Test
  void helpDescribesTheColumns() {
    assertThat(text(rest.call("GET /_cat/master?help")))
        .isEqualTo(
            """
            id   |   | node id
            host | h | host name
            ip   |   | ip address\s
            node | n | node name
            """);
  }

  @Test
  void healthHasItsDefaultColumns() {
    assertThat(text(rest.call("GET /_cat/health?v")))
        .startsWith(
            "epoch      timestamp cluster status node.total node.data discovered_cluster_manager"
                + " shards pri relo init unassign pending_tasks max_task_wait_time"
                + " active_shards_percent\n")
        .contains("1700000000 22:13:20  test    yellow");
  }

  @Test
  void unassignedCopiesHaveNoFigures() {
    rest.cluster.change(state ->
        FakeCluster.copy(
            state, Map.of("primary-node", state.nodes().get("primary-node")), state.indices()));

    assertThat(text(rest.call("GET /_cat/shards/a?h=index,prirep,state,docs,node")))
        .isEqualTo("a p STARTED    0 primary-node\na r UNASSIGNED   \n");
  }

  @Test
  void segmentReplicationIsDigitsOnly() {
    rest.cluster.progress(
        new CopyProgress(
            "a0r",
            new ShardId("a-uuid", 0),
            "replica-node",
            false,
            "COPYING",
            1,
            2,
            3,
            4,
            5,
            1024,
            2,
            150,
            40,
            6,
            7,
            8));

    JsonNode row =
        json(rest.call(
                "GET /_cat/segment_replication?format=JSON&time=ms&bytes=b"
                    + "&h=shardId,target_node,target_host,checkpoints_behind,bytes_behind,"
                    + "current_lag,last_completed_lag,rejected_requests"))
            .path(0);

    assertThat(row.path("shardId").asString()).isEqualTo("[a][0]");
    assertThat(row.path("bytes_behind").asString()).isEqualTo("1024");
    assertThat(row.path("checkpoints_behind").asString()).isEqualTo("2");
    assertThat(row.path("current_lag").asString()).isEqualTo("150");
    assertThat(row.path("last_completed_lag").asString()).isEqualTo("40");
    assertThat(row.path("rejected_requests").asString()).isEqualTo("0");
  }

  @Test
  void segmentsTellHowTheirStoredFieldsAreEncodedAndWhatThatSaves() {
    assertThat(
            text(
                rest.call(
                    "GET /_cat/segments/a?v&h=prirep,stored_fields.codec,sfl,sfd,sfs,sfr,sfq")))
        .isEqualTo(
            """
            prirep stored_fields.codec sfl sfd   sfs   sfr  sfq
            p      zstd                  3 ab12 500b 1.9kb 0.25
            r      zstd                  3 ab12 500b 1.9kb 0.25
            """);
    assertThat(text(rest.call("GET /_cat/segments/a?v"))).doesNotContain("stored_fields");
  }

  @Test
  void theHelpOfSegmentsEndsWithTheLastColumnOfTheDialectUnlessMoreIsAskedFor() {
    assertThat(text(rest.call("GET /_cat/segments?help")).lines().toList().getLast())
        .startsWith("compound ");
    assertThat(text(rest.call("GET /_cat/segments?help&h=stored_fields.*")))
        .contains("stored_fields.dictionary");
  }

  @Test
  void theOverviewNamesTheTables() {
    assertThat(text(rest.call("GET /_cat")))
        .startsWith("=^.^=\n")
        .contains("/_cat/segment_replication\n", "/_cat/shards/{index}\n");
  }

  @Test
  void replicationShowsTheShardsOfStrongIndicesOnly() {
    rest.cluster.index("strong", 1, Map.of("index.replication.consistency", "strong"));

    assertThat(
            text(
                rest.call(
                    "GET /_cat/replication?v&h=index,shard,state,copies,mis,replicated,msn,"
                        + "unreplicated_records,re_repl_success,rre,rrt,are,con")))
        .isEqualTo(
            """
            index  shard state copies mis replicated msn unreplicated_records re_repl_success rre rrt are con
            strong 0     live       2   2         40  41                    1               5   6   7   8   1
            """);
    assertThat(text(rest.call("GET /_cat/replication/a"))).isEmpty();
    assertThat(text(rest.call("GET /_cat/replication?help")))
        .contains("appeals_records_exonerated | are", "records that copies proved");
  }

  @Test
  void aShardWhosePrimaryDoesNotAnswerHasARowWithoutNumbers() {
    rest.cluster.index("strong", 1, Map.of("index.replication.consistency", "strong"));
    rest.cluster.all("strong", true, CopyRouting.State.INITIALIZING);

    JsonNode row = json(rest.call("GET /_cat/replication/strong?format=json")).path(0);

    assertThat(row.path("state").asString()).isEqualTo("unavailable");
    assertThat(row.path("unreplicated_records").asString("")).isEmpty();
  }
}
