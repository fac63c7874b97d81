package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A primary's process is killed or frozen in a cluster whose node timeout is longer than the test:
 * only a refused connection together with silence can remove its node.
 */
@Tag("system")
class EndedProcessesTest {

  private static final String NEVER_MILLIS = "3600000";
  private static final Duration WITHIN = Duration.ofMinutes(5);

  @TempDir static Path data;
  private static RunningCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        RunningCluster.start(
            data,
            "--shard-services",
            "1",
            "--replication-services",
            "1",
            "--ccr-followers",
            "0",
            "--varve.node.timeout-millis",
            NEVER_MILLIS,
            "--varve.leader.timeout-millis",
            NEVER_MILLIS);
  }

  @AfterEach
  void deleteIndices() throws IOException {
    TestIndex.deleteAll(cluster.rest());
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static TestIndex create(String name) throws Exception {
    cluster
        .rest()
        .call(
            "PUT",
            "/" + name,
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms"},
             "mappings":{"properties":{"n":{"type":"integer"},"text":{"type":"text"}}}}\
            """)
        .orThrow();
    cluster.awaitGreen();
    return new TestIndex(cluster.rest(), name);
  }

  @Test
  void theReplicaOfAKilledPrimaryIsPromotedByTwoSignsAndTheNextProcessStays() throws Exception {
    TestIndex index = create("killed");
    String killed = index.nodeOfPrimary();
    String former = incarnation(killed);
    NumberedLoad load = new NumberedLoad(cluster.rest(), index.name());
    try (load) {
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= 200);
      double removedBefore = count("removed", "refused");
      // A process that joins while the leader is paused would replace the former one.
      cluster.kill(
          killed,
          () -> Await.within(WITHIN).until(() -> count("removed", "refused") == removedBefore + 1));
      index.awaitPrimaryElsewhereThan(killed);
      int ackedBefore = load.ackedCount();
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() > ackedBefore + 200);
    }
    assertThat(count("removed", "silent")).isZero();

    Await.within(WITHIN).until(() -> !incarnation(killed).equals(former));
    cluster.awaitGreen();
    index.refresh();
    for (String copy : List.of("_primary", "_replica")) {
      Await.within(WITHIN).untilAsserted(() -> load.assertEachAckedOnceOn(copy));
    }
    aReportAboutTheFormerProcessIsIgnored(killed, former);
  }

  private static void aReportAboutTheFormerProcessIsIgnored(String name, String former)
      throws IOException {
    double suspected = count("suspected", "disconnected");
    String nodeId = member(name).path("node_id").asString();
    String report = "{\"node_id\":\"%s\",\"incarnation\":\"%s\"}".formatted(nodeId, former);
    cluster.rest().call("POST", "/_internal/cluster/nodes/disconnected", report).orThrow();
    // The leader's thread does this after it has seen the report.
    cluster
        .rest()
        .call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.max_shards_per_node\":\"1000\"}}")
        .orThrow();
    assertThat(count("suspected", "disconnected")).isEqualTo(suspected);
    assertThat(incarnation(name)).isNotEqualTo(former);
  }

  @Test
  void aFrozenPrimaryIsSuspectedAndStays() throws Exception {
    TestIndex index = create("frozen");
    String frozen = index.nodeOfPrimary();
    String incarnation = incarnation(frozen);
    double suspectedBefore = count("suspected", "silent");
    double removedBefore = count("removed", "refused");
    cluster.freeze(frozen);
    try {
      // After 1, 2 and 4 s of silence.
      Await.within(WITHIN).until(() -> count("suspected", "silent") >= suspectedBefore + 3);
      assertThat(incarnation(frozen)).isEqualTo(incarnation);
    } finally {
      cluster.thaw(frozen);
    }
    cluster.awaitGreen();
    assertThat(index.put(1).path("result").asString()).isEqualTo("created");
    assertThat(index.nodeOfPrimary()).isEqualTo(frozen);
    assertThat(incarnation(frozen)).isEqualTo(incarnation);
    assertThat(count("removed", "refused")).isEqualTo(removedBefore);
  }

  /** The member with the name of a process. */
  private static JsonNode member(String name) throws IOException {
    JsonNode state = cluster.rest().get("/_internal/cluster/state").orThrow().json();
    for (JsonNode node : state.path("nodes")) {
      if (node.path("name").asString("").equals(name)) {
        return node;
      }
    }
    throw new IOException(name + " is no member");
  }

  private static String incarnation(String name) throws IOException {
    return member(name).path("incarnation").asString();
  }

  /** The value of {@code varve.cluster.nodes.*} on the leader, which is the only coordinator. */
  private static double count(String what, String sign) throws IOException {
    String series = "varve_cluster_nodes_" + what + "_total{";
    return cluster
        .rest()
        .get("/_actuator/prometheus")
        .orThrow()
        .text()
        .lines()
        .filter(line -> line.startsWith(series) && line.contains("sign=\"" + sign + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
