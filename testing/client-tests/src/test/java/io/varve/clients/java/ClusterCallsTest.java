package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch._types.ExpandWildcard;
import org.opensearch.client.opensearch._types.HealthStatus;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch.cat.OpenSearchCatClient;
import org.opensearch.client.opensearch.cluster.HealthResponse;
import org.opensearch.client.opensearch.core.InfoResponse;
import org.opensearch.client.opensearch.nodes.NodesInfoResponse;
import org.opensearch.client.opensearch.nodes.NodesStatsResponse;
import org.opensearch.client.opensearch.tasks.TaskInfo;

/** The client throws if a response lacks a required property. */
@Tag("system")
class ClusterCallsTest {

  private static final OpenSearchCatClient CAT = CLIENT.cat();
  private static final String[] NODES = {"coordinator", "shard", "replica", "ccr"};
  private static String index = "";

  @BeforeAll
  static void fill() throws IOException {
    index = Library.ofBooks("cluster");
  }

  @Test
  void infoAndPing() throws IOException {
    InfoResponse info = CLIENT.info();

    assertThat(info.version().distribution()).isEqualTo("opensearch");
    assertThat(info.clusterUuid())
        .isEqualTo(
            CLIENT
                .cluster()
                .state(r -> r)
                .valueBody()
                .toJson()
                .asJsonObject()
                .getString("cluster_uuid"));
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
    assertThat(CLIENT.cluster().stats(r -> r).indices().count())
        .isEqualTo(CAT.indices(r -> r.expandWildcards(ExpandWildcard.All)).valueBody().size());
  }

  @Test
  void putAndGetSettings() throws IOException {
    CLIENT
        .cluster()
        .putSettings(r -> r.persistent("action.auto_create_index", JsonData.of("true")));

    assertThat(CLIENT.cluster().getSettings(r -> r.flatSettings(true)).persistent())
        .hasEntrySatisfying(
            "action.auto_create_index",
            value -> assertThat(value.to(String.class)).isEqualTo("true"));
  }

  @Test
  void pendingTasksAndReroute() throws IOException {
    assertThat(CLIENT.cluster().pendingTasks(r -> r).tasks()).isEmpty();
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
    String alias = Library.name("remote");
    String seeds = "cluster.remote." + alias + ".seeds";
    CLIENT.cluster().putSettings(r -> r.persistent(seeds, JsonData.of("127.0.0.1:1")));

    assertThat(CLIENT.cluster().remoteInfo(r -> r).result())
        .hasEntrySatisfying(
            alias, remote -> assertThat(remote.sniff().seeds()).containsExactly("127.0.0.1:1"));
  }

  @Test
  void nodesInfo() throws IOException {
    NodesInfoResponse nodes = CLIENT.nodes().info(r -> r);

    assertThat(nodes.nodes().values()).extracting(n -> n.name()).contains(NODES);
    assertThat(nodes.nodes().values())
        .extracting(n -> n.version())
        .containsOnly(CLIENT.info().version().number());
  }

  @Test
  void nodesStats() throws IOException {
    NodesStatsResponse nodes = CLIENT.nodes().stats(r -> r);

    assertThat(nodes.nodes().values()).extracting(n -> n.name()).contains(NODES);
    assertThat(nodes.nodes().values())
        .allSatisfy(n -> assertThat(n.jvm().mem().heapMaxInBytes()).isPositive());
  }

  @Test
  void tasks() throws IOException {
    assertThat(CLIENT.tasks().list(r -> r.detailed(true)).nodes().values())
        .flatExtracting(node -> node.tasks().values())
        .extracting(TaskInfo::action)
        .contains("cluster:monitor/tasks/lists");
    assertThat(CLIENT.tasks().cancel(r -> r.actions("none*")).nodeFailures()).isEmpty();
  }

  @Test
  void tablesOfTheCluster() throws IOException {
    assertThat(CAT.health().valueBody().getFirst().status()).isIn("green", "yellow", "red");
    assertThat(CAT.nodes(r -> r).valueBody()).extracting(n -> n.name()).contains(NODES);
    assertThat(CAT.clusterManager(r -> r).valueBody()).hasSize(1);
    assertThat(CAT.allocation(r -> r).valueBody())
        .extracting(row -> row.node())
        .contains("shard", "replica");
    assertThat(CAT.nodeattrs(r -> r).valueBody())
        .extracting(row -> row.attr())
        .contains("varve_roles");
    assertThat(CAT.pendingTasks(r -> r).valueBody()).isEmpty();
    assertThat(CAT.plugins(r -> r).valueBody()).isEmpty();
    assertThat(CAT.threadPool(r -> r).valueBody()).extracting(row -> row.name()).contains("search");
    assertThat(CAT.tasks(r -> r).valueBody())
        .extracting(row -> row.action())
        .contains("cluster:monitor/tasks/lists");
    assertThat(CAT.repositories(r -> r).valueBody()).isEmpty();
  }

  @Test
  void tablesOfIndices() throws IOException {
    assertThat(CAT.indices(r -> r.index(index)).valueBody().getFirst().docsCount()).isEqualTo("5");
    assertThat(CAT.count(r -> r.index(index)).valueBody().getFirst().count()).isEqualTo("5");
    assertThat(CAT.shards(r -> r.index(index)).valueBody()).hasSize(2);
    assertThat(CAT.segments(r -> r.index(index)).valueBody())
        .extracting(row -> Integer.parseInt(row.docsCount()))
        .satisfies(
            counts -> assertThat(counts.stream().mapToInt(count -> count).sum()).isEqualTo(5));
    assertThat(CAT.segmentReplication(r -> r.index(index)).valueBody())
        .as("there are no replicas")
        .isEmpty();
    assertThat(CAT.recovery(r -> r.index(index)).valueBody())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.stage()).isEqualTo("done"));
  }

  @Test
  void tablesOfNames() throws IOException {
    String name = Library.name("table");
    CLIENT.indices().putAlias(r -> r.index(index).name(name));
    CLIENT.indices().putIndexTemplate(r -> r.name(name).indexPatterns(name + "-*"));

    assertThat(CAT.aliases(r -> r).valueBody()).extracting(row -> row.alias()).contains(name);
    assertThat(CAT.templates(r -> r).valueBody()).extracting(row -> row.name()).contains(name);
  }

  @Test
  void tableOfFielddata() throws IOException {
    String words = Library.name("words");
    CLIENT
        .indices()
        .create(r ->
            r.index(words)
                .mappings(m -> m.properties("word", p -> p.text(t -> t.fielddata(true)))));
    CLIENT.index(r -> r.index(words).document(Map.of("word", "one")).refresh(Refresh.True));
    CLIENT.search(r -> r.index(words).sort(s -> s.field(f -> f.field("word"))), JsonData.class);

    assertThat(CAT.fielddata(r -> r).valueBody()).extracting(row -> row.field()).contains("word");
  }
}
