package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch._types.HealthStatus;
import org.opensearch.client.opensearch.cat.OpenSearchCatClient;
import org.opensearch.client.opensearch.cluster.HealthResponse;
import org.opensearch.client.opensearch.core.InfoResponse;
import org.opensearch.client.opensearch.nodes.NodesInfoResponse;
import org.opensearch.client.opensearch.nodes.NodesStatsResponse;

/** The client throws if a response lacks a required property. */
@Tag("system")
class ClusterCallsTest {

  private static final OpenSearchCatClient CAT = CLIENT.cat();
  private static String index = "";

  @BeforeAll
  static void fill() throws IOException {
    index = Library.ofBooks("cluster");
  }

  @Test
  void infoAndPing() throws IOException {
    InfoResponse info = CLIENT.info();

    assertThat(info.version().distribution()).isEqualTo("opensearch");
    assertThat(info.clusterUuid()).isNotBlank();
    assertThat(CLIENT.ping().value()).isTrue();
  }

  @Test
  void health() throws IOException {
    HealthResponse health = CLIENT.cluster().health(r -> r.index(index));

    assertThat(health.status()).isEqualTo(HealthStatus.Green);
    assertThat(health.activePrimaryShards()).isEqualTo(2);
  }

  @Test
  void state() throws IOException {
    assertThat(CLIENT.cluster().state(r -> r).valueBody().toJson().asJsonObject())
        .containsKeys("metadata", "routing_table", "nodes");
  }

  @Test
  void stats() throws IOException {
    assertThat(CLIENT.cluster().stats(r -> r).indices().count()).isPositive();
  }

  @Test
  void putAndGetSettings() throws IOException {
    CLIENT
        .cluster()
        .putSettings(r -> r.persistent("action.auto_create_index", JsonData.of("true")));

    assertThat(CLIENT.cluster().getSettings(r -> r.flatSettings(true)).persistent())
        .containsKey("action.auto_create_index");
  }

  @Test
  void pendingTasksAndReroute() throws IOException {
    assertThat(CLIENT.cluster().pendingTasks(r -> r).tasks()).isNotNull();
    assertThat(CLIENT.cluster().reroute(r -> r.dryRun(true)).acknowledged()).isTrue();
  }

  @Test
  void allocationExplain() throws IOException {
    assertThat(
            CLIENT
                .cluster()
                .allocationExplain(r -> r.index(index).shard(0).primary(true))
                .currentState())
        .isEqualTo("started");
  }

  @Test
  void remoteInfo() throws IOException {
    assertThat(CLIENT.cluster().remoteInfo(r -> r).result()).isNotNull();
  }

  @Test
  void nodesInfo() throws IOException {
    NodesInfoResponse nodes = CLIENT.nodes().info(r -> r);

    assertThat(nodes.nodes()).isNotEmpty();
    assertThat(nodes.nodes().values()).allSatisfy(n -> assertThat(n.version()).isNotBlank());
  }

  @Test
  void nodesStats() throws IOException {
    NodesStatsResponse nodes = CLIENT.nodes().stats(r -> r);

    assertThat(nodes.nodes()).isNotEmpty();
    assertThat(nodes.nodes().values()).anySatisfy(n -> assertThat(n.jvm()).isNotNull());
  }

  @Test
  void tasks() throws IOException {
    assertThat(CLIENT.tasks().list(r -> r.detailed(true)).nodes()).isNotEmpty();
    assertThat(CLIENT.tasks().cancel(r -> r.actions("none*")).nodeFailures()).isEmpty();
  }

  @Test
  void tablesOfTheCluster() throws IOException {
    assertThat(CAT.health().valueBody().getFirst().status()).isNotBlank();
    assertThat(CAT.nodes(r -> r).valueBody()).isNotEmpty();
    assertThat(CAT.clusterManager(r -> r).valueBody()).hasSize(1);
    assertThat(CAT.allocation(r -> r).valueBody()).isNotEmpty();
    assertThat(CAT.nodeattrs(r -> r).valueBody()).isNotNull();
    assertThat(CAT.pendingTasks(r -> r).valueBody()).isNotNull();
    assertThat(CAT.plugins(r -> r).valueBody()).isNotNull();
    assertThat(CAT.threadPool(r -> r).valueBody()).isNotEmpty();
    assertThat(CAT.tasks(r -> r).valueBody()).isNotEmpty();
    assertThat(CAT.repositories(r -> r).valueBody()).isNotNull();
  }

  @Test
  void tablesOfIndices() throws IOException {
    assertThat(CAT.indices(r -> r.index(index)).valueBody().getFirst().docsCount()).isEqualTo("5");
    assertThat(CAT.count(r -> r.index(index)).valueBody().getFirst().count()).isEqualTo("5");
    assertThat(CAT.shards(r -> r.index(index)).valueBody()).hasSize(2);
    assertThat(CAT.segments(r -> r.index(index)).valueBody()).isNotEmpty();
    assertThat(CAT.segmentReplication(r -> r.index(index)).valueBody()).isNotNull();
    assertThat(CAT.recovery(r -> r.index(index)).valueBody()).isNotEmpty();
    assertThat(CAT.aliases(r -> r).valueBody()).isNotNull();
    assertThat(CAT.templates(r -> r).valueBody()).isNotNull();
    assertThat(CAT.fielddata(r -> r).valueBody()).isNotNull();
  }
}
