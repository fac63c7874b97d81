package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CopiesTableTest {

  private static final Processes NONE = new Processes(Map.of());

  private static CopiesLoad.Runs runs(long acked, long refused, long... perSecond)
      throws IOException {
    CopiesLoad.Runs runs = new CopiesLoad.Runs();
    NodeSamples samples = new NodeSamples(NONE, () -> 0, runs.samples(), LoadClock.SYSTEM);
    long sum = 0;
    double cpu = 0;
    for (long documents : perSecond) {
      sum += documents;
      cpu += 0.5;
      samples.ended(1, sum, Map.of("a", cpu, "b", cpu * 2), Map.of("a", 300.0, "b", 500.0));
    }
    runs.ended(acked, refused, 80);
    return runs;
  }

  private static Object cell(List<List<Object>> rows, int row, int column) {
    return rows.get(row).get(column);
  }

  @Test
  void distributionsAreOverIntervalsAndNodes() throws IOException {
    CopiesLoad.Runs runs = runs(60, 0, 10, 20, 30);

    assertThat(runs.documentsPerSecond(0)).isEqualTo(10);
    assertThat(runs.documentsPerSecond(0.5)).isEqualTo(20);
    assertThat(runs.documentsPerSecond(1)).isEqualTo(30);
    assertThat(runs.cpuPercent(0.5)).isEqualTo(50);
    assertThat(runs.cpuPercent(1)).isEqualTo(100);
    assertThat(runs.residentMegabytes(0.5)).isEqualTo(300);
    assertThat(runs.residentMegabytes(1)).isEqualTo(500);
  }

  @Test
  void eachRowComparesSegmentWithDocumentReplicas() throws IOException {
    List<List<Object>> rows = CopiesTable.rows(runs(100, 0, 100), runs(90, 10, 125));

    assertThat(rows).extracting(row -> row.getFirst()).contains("store size, MB", "error rate, %");
    assertThat(rows.get(3)).containsExactly("median", 100.0, 125.0, "25.00");
    assertThat(cell(rows, rows.size() - 1, 1)).isEqualTo(0.0);
    assertThat(cell(rows, rows.size() - 1, 2)).isEqualTo(10.0);
  }

  @Test
  void refusedDocumentsOfABulkAreCounted() {
    assertThat(CopiesLoad.refused(answer(429, "busy"), 7)).isEqualTo(7);
    assertThat(CopiesLoad.refused(answer(200, "{\"errors\":false,\"items\":[{}]}"), 7)).isZero();
    assertThat(
            CopiesLoad.refused(
                answer(
                    200,
                    "{\"errors\":true,\"items\":[{\"index\":{\"status\":201}},"
                        + "{\"index\":{\"status\":429,\"error\":{}}}]}"),
                2))
        .isEqualTo(1);
  }

  private static HttpConnection.Answer answer(int status, String text) {
    return new HttpConnection.Answer(status, text.getBytes(UTF_8));
  }

  @Test
  void onlyProcessesThatHoldCopiesAreSampled() {
    Processes cluster =
        new Processes(
            Map.of("coordinator-1", 1L, "shard-service-1", 2L, "replication-service-1", 3L));

    assertThat(cluster.dataNodes().pids().keySet())
        .containsExactlyInAnyOrder("shard-service-1", "replication-service-1");
    assertThat(new Processes(Map.of("peer-000", 9L)).dataNodes().pids()).containsKey("peer-000");
  }
}
