package io.varve.coordinator.rest.cluster;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.FeatureLevels;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class ClusterEndpointsTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void oneIndex() {
    rest.cluster.index("a", 2);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void theFeatureLevelIsShownAndRaised() {
    JsonNode shown = json(rest.call("GET /_cluster/feature_level"));
    assertThat(shown.path("feature_level").asInt()).isEqualTo(1);
    assertThat(shown.path("highest_common").asInt()).isEqualTo(FeatureLevels.NEWEST);
    assertThat(shown.path("nodes").path("coordinator-node").path("max").asInt())
        .isEqualTo(FeatureLevels.NEWEST);

    assertThat(json(rest.call("POST /_cluster/feature_level")).path("acknowledged").asBoolean())
        .isTrue();
    assertThat(rest.cluster.commands()).containsExactly(new ClusterCommand.RaiseFeatureLevel(null));
    assertThat(rest.call("POST /_cluster/feature_level", "{\"level\":2}").getStatus())
        .isEqualTo(400);
    assertThat(rest.call("POST /_cluster/feature_level", "{\"feature_level\":\"x\"}").getStatus())
        .isEqualTo(400);
    assertThat(
            json(rest.call("POST /_cluster/feature_level", "{\"feature_level\":99}"))
                .path("error")
                .path("reason")
                .asString())
        .contains("must be at most [" + FeatureLevels.NEWEST + "]");
  }

  @Test
  void theLocalNodeIsOneWhateverOthersAreCalled() {
    Map<String, NodeInfo> nodes = new TreeMap<>(rest.cluster.state().nodes());
    nodes.put(
        "another",
        new NodeInfo(
            "another",
            "coordinator-node",
            "incarnation",
            Set.of(NodeInfo.COORDINATOR),
            "http://127.0.0.1:9201"));
    rest.cluster.change(s -> FakeCluster.copy(s, nodes, s.indices()));

    assertThat(json(rest.call("GET /_nodes/_local")).path("nodes").propertyNames())
        .containsExactly("coordinator-node");
    assertThat(
            json(rest.call("GET /_cluster/settings?include_defaults&flat_settings"))
                .path("defaults")
                .path("http.port")
                .asString())
        .isEqualTo("9200");
  }

  @Test
  void theRootSaysWhoAnswers() {
    JsonNode root = json(rest.call("GET /"));

    assertThat(root.at("/version/distribution").asString()).isEqualTo("opensearch");
    assertThat(root.at("/version/number").asString()).isEqualTo("3.1.0");
    assertThat(root.at("/version/lucene_version").asString()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(root.at("/cluster_uuid").asString()).isEqualTo("cluster-uuid");
    assertThat(root.at("/tagline").asString()).startsWith("The OpenSearch Project");
  }

  @Test
  void theRootSaysThatItIsAnotherProductWhenToldTo() {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of(ClusterSettings.IDENTITY, ClusterSettings.IDENTITY_ELASTICSEARCH),
                Map.of())));

    JsonNode root = json(rest.call("GET /"));

    assertThat(root.at("/version/number").asString()).isEqualTo("7.10.2");
    assertThat(root.at("/version/build_flavor").asString()).isEqualTo("default");
    assertThat(root.at("/version/distribution").isMissingNode()).isTrue();
    assertThat(root.at("/tagline").asString()).isEqualTo("You Know, for Search");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wait_for_status=green | 200",
        "wait_for_nodes=>=3 | 200",
        "wait_for_nodes=ge(3) | 200",
        "wait_for_nodes=3 | 200",
        "wait_for_nodes=>3&timeout=5ms | 408",
        "wait_for_nodes=lt(3)&timeout=5ms | 408",
        "wait_for_nodes=many | 400",
        "wait_for_active_shards=all | 200",
        "wait_for_active_shards=4 | 200",
        "wait_for_active_shards=5&timeout=5ms | 408",
        "wait_for_status=blue | 400",
        "wait_for_no_initializing_shards=true&wait_for_no_relocating_shards=true | 200",
      })
  void healthWaitsForTheRequestedConditions(String query, int status) {
    String encoded = query.replace(">", "%3E");

    assertThat(rest.call("GET /_cluster/health?" + encoded).getStatus()).isEqualTo(status);
  }

  @Test
  void aMissingIndexIsWaitedForAndThenRed() {
    MockHttpServletResponse response = rest.call("GET /_cluster/health/z?timeout=5ms");

    assertThat(response.getStatus()).isEqualTo(408);
    assertThat(json(response).path("status").asString()).isEqualTo("red");
    assertThat(json(response).path("timed_out").asBoolean()).isTrue();
  }

  @Test
  void healthAnswersAsSoonAsItIsSo() throws Exception {
    rest.cluster.all("a", false, CopyRouting.State.INITIALIZING);
    assertThat(json(rest.call("GET /_cluster/health")).path("status").asString())
        .isEqualTo("yellow");

    CompletableFuture<MockHttpServletResponse> waiting =
        CompletableFuture.supplyAsync(
            () -> rest.call("GET /_cluster/health?wait_for_status=green&timeout=60s"));
    rest.cluster.all("a", false, CopyRouting.State.STARTED);

    assertThat(json(waiting.get(60, TimeUnit.SECONDS)).path("status").asString())
        .isEqualTo("green");
  }

  @Test
  void aProcessThatIsNotHeardYetDoesNotCount() throws Exception {
    rest.cluster.heard(FakeCluster.REPLICA_NODE, "the process before");
    JsonNode health = json(rest.call("GET /_cluster/health"));
    assertThat(health.path("status").asString()).isEqualTo("yellow");
    assertThat(health.path("number_of_nodes").asInt()).isEqualTo(2);

    CompletableFuture<MockHttpServletResponse> waiting =
        CompletableFuture.supplyAsync(
            () -> rest.call("GET /_cluster/health?wait_for_status=green&timeout=60s"));
    rest.cluster.heard(FakeCluster.REPLICA_NODE, "incarnation");

    assertThat(json(waiting.get(60, TimeUnit.SECONDS)).path("number_of_nodes").asInt())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_all | 3",
        "_local | 1",
        "_cluster_manager | 1",
        "primary-* | 1",
        "data:true | 3",
        "ingest:true | 1",
        "data:true,ingest:false | 2",
        "varve_roles:rep* | 1",
        "127.0.0.1 | 3",
        "nobody | 0",
      })
  void nodesAreMeantByWhatNamesThem(String filter, int count) {
    JsonNode nodes = json(rest.call("GET /_nodes/" + filter + "/http"));

    assertThat(nodes.at("/_nodes/successful").asInt()).isEqualTo(count);
    assertThat(nodes.path("nodes").size()).isEqualTo(count);
  }

  @Test
  void onlyWhatAnswersClientsHasAnAddressForThem() {
    JsonNode nodes = json(rest.call("GET /_nodes/_all/http")).path("nodes");

    assertThat(nodes.at("/coordinator-node/http/publish_address").asString())
        .isEqualTo("127.0.0.1:9200");
    assertThat(nodes.at("/primary-node/http").isMissingNode()).isTrue();
  }

  @Test
  void statsAddUpPrimariesAndAllCopies() {
    JsonNode stats = json(rest.call("GET /_stats/_all?level=shards"));

    assertThat(stats.at("/_shards/total").asInt()).isEqualTo(4);
    assertThat(stats.at("/_all/primaries/store/size_in_bytes").asLong()).isEqualTo(2 * 2048);
    assertThat(stats.at("/_all/total/store/size_in_bytes").asLong()).isEqualTo(4 * 2048);
    assertThat(stats.at("/_all/total/merges/current").asInt()).isZero();
    assertThat(stats.at("/indices/a/shards/0/0/routing/primary").asBoolean()).isTrue();
    assertThat(stats.at("/indices/a/shards/0/0/retention_leases/primary_term").asInt())
        .isEqualTo((int) FakeCluster.TERM);
  }

  @Test
  void shardsShowTheLeasesThatTheirPrimariesKnowAndNoOthers() {
    JsonNode shard = json(rest.call("GET /_stats/_all?level=shards")).at("/indices/a/shards/0/0");

    JsonNode leases = shard.at("/retention_leases/leases");
    assertThat(leases.size()).isEqualTo(1);
    assertThat(leases.at("/0/id").asString()).isEqualTo("follower");
    assertThat(leases.at("/0/retaining_seq_no").asLong()).isEqualTo(7);
    assertThat(leases.at("/0/timestamp").asLong()).isEqualTo(1_000);
    assertThat(leases.at("/0/source").asString()).isEqualTo("ccr");
  }

  @Test
  void aRecoveryTellsItsSourceAndItsShareOfFiles() {
    JsonNode replica = json(rest.call("GET /a/_recovery?detailed=true")).at("/a/shards/1");

    assertThat(replica.path("type").asString()).isEqualTo("PEER");
    assertThat(replica.at("/source/name").asString()).isEqualTo(FakeCluster.PRIMARY_NODE);
    assertThat(replica.at("/index/files/percent").asString()).isEqualTo("100.0%");
    assertThat(replica.at("/index/size/reused_in_bytes").asInt()).isEqualTo(48);
    assertThat(replica.at("/total_time_in_millis").asInt()).isEqualTo(120);
  }

  @Test
  void aDryRunExplainsAndChangesNothing() {
    JsonNode answer =
        json(
            rest.call(
                "POST /_cluster/reroute?dry_run=true&explain=true",
                "{\"commands\":[{\"cancel\":{\"index\":\"a\",\"shard\":9,"
                    + "\"node\":\"replica-node\"}}]}"));

    assertThat(answer.at("/explanations/0/decisions/0/decision").asString()).isEqualTo("NO");
    assertThat(answer.at("/state/metadata").isMissingNode()).isTrue();
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void aStepThatIsRefusedIsAnErrorUnlessItIsToBeExplained() {
    MockHttpServletResponse refused =
        rest.call(
            "POST /_cluster/reroute",
            "{\"commands\":[{\"move\":{\"index\":\"a\",\"shard\":0,"
                + "\"from_node\":\"primary-node\",\"to_node\":\"replica-node\"}}]}");

    assertThat(refused.getStatus()).isEqualTo(400);
    assertThat(json(refused).at("/error/type").asString()).isEqualTo("illegal_argument_exception");
  }

  @Test
  void humanFiguresStandBesideTheNumbers() {
    JsonNode store = json(rest.call("GET /_stats/store?human=true")).at("/_all/primaries/store");

    assertThat(store.path("size").asString()).isEqualTo("4kb");
    assertThat(store.path("size_in_bytes").asInt()).isEqualTo(4096);
  }

  @Test
  void levelsGoDownToShards() {
    JsonNode health = json(rest.call("GET /_cluster/health?level=shards"));

    assertThat(health.at("/indices/a/shards/1/active_shards").asInt()).isEqualTo(2);
    assertThat(health.at("/active_shards_percent_as_number").asDouble()).isEqualTo(100.0);
  }

  @Test
  void settingsAreFlattenedOnTheirWayIn() {
    rest.call(
        "PUT /_cluster/settings",
        "{\"transient\":{\"search\":{\"default_search_timeout\":-1}},"
            + "\"persistent\":{\"action.auto_create_index\":null}}");

    assertThat(rest.cluster.commands())
        .singleElement()
        .isInstanceOfSatisfying(
            ClusterCommand.UpdateClusterSettings.class,
            command -> {
              assertThat(command.transientChanges())
                  .containsEntry("search.default_search_timeout", "-1");
              assertThat(command.persistentChanges())
                  .containsEntry("action.auto_create_index", null);
            });
  }

  @Test
  void anIndexIsCreatedWithWhatTheBodySays() {
    MockHttpServletResponse response =
        rest.call(
            "PUT /new",
            "{\"settings\":{\"index\":{\"number_of_shards\":3},\"refresh_interval\":\"5s\"},"
                + "\"mappings\":{\"properties\":{\"f\":{\"type\":\"long\"}}}}");

    assertThat(json(response).toString())
        .isEqualTo("{\"acknowledged\":true,\"shards_acknowledged\":true,\"index\":\"new\"}");
    ClusterCommand.CreateIndex command =
        (ClusterCommand.CreateIndex) rest.cluster.commands().getFirst();
    assertThat(command.settings())
        .containsEntry("index.number_of_shards", "3")
        .containsEntry("refresh_interval", "5s");
    assertThat(command.mapping()).isEqualTo("{\"properties\":{\"f\":{\"type\":\"long\"}}}");
  }

  @Test
  void anUnknownPartOfAnIndexIsRefused() {
    assertThat(rest.call("PUT /new", "{\"setings\":{}}").getStatus()).isEqualTo(400);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void anIndexIsShownWithItsSettingsAsStrings() {
    JsonNode shown = json(rest.call("GET /a"));

    assertThat(shown.at("/a/settings/index/number_of_shards").asString()).isEqualTo("2");
    assertThat(shown.at("/a/settings/index/provided_name").asString()).isEqualTo("a");
    assertThat(shown.at("/a/settings/index/replication/type").asString()).isEqualTo("SEGMENT");
    assertThat(shown.at("/a/mappings").isObject()).isTrue();
    assertThat(json(rest.call("GET /a/_settings?flat_settings")).at("/a/settings").toString())
        .contains("\"index.uuid\":\"a-uuid\"");
  }

  @Test
  void wildcardsDeleteUnlessThatIsForbidden() {
    rest.call("DELETE /a*");
    assertThat(rest.cluster.commands())
        .containsExactly(new ClusterCommand.DeleteIndices(List.of("a")));

    rest.cluster.setting("action.destructive_requires_name", "true");
    assertThat(rest.call("DELETE /a*").getStatus()).isEqualTo(400);
    assertThat(rest.call("DELETE /a").getStatus()).isEqualTo(200);
  }

  @Test
  void refreshReachesEveryCopy() {
    assertThat(json(rest.call("POST /a/_refresh")).toString())
        .isEqualTo("{\"_shards\":{\"total\":4,\"successful\":4,\"failed\":0}}");
  }

  @Test
  void aFlushReachesEveryStartedCopy() {
    rest.cluster.all("a", false, CopyRouting.State.INITIALIZING);

    assertThat(json(rest.call("POST /a/_flush")).toString())
        .isEqualTo("{\"_shards\":{\"total\":4,\"successful\":2,\"failed\":0}}");
    assertThat(rest.shards.calls()).containsExactlyInAnyOrder("flush a0p", "flush a1p");
  }

  @Test
  void figuresAreSummedForPrimariesAndAll() {
    JsonNode stats = json(rest.call("GET /a/_stats?level=shards"));

    assertThat(stats.at("/_all/primaries/segments/count").asInt()).isEqualTo(6);
    assertThat(stats.at("/_all/total/store/size_in_bytes").asInt()).isEqualTo(8192);
    assertThat(stats.at("/indices/a/shards/0/0/routing/primary").asBoolean()).isTrue();
    assertThat(json(rest.call("GET /_stats/docs")).at("/_all/total").propertyNames())
        .containsExactly("docs");
    assertThat(rest.call("GET /_stats/nonsense").getStatus()).isEqualTo(400);
  }

  @Test
  void nodesAreShownWithRolesAndAddress() {
    JsonNode nodes = json(rest.call("GET /_nodes/_all/http")).path("nodes");

    assertThat(nodes.at("/coordinator-node/http/publish_address").asString())
        .isEqualTo("127.0.0.1:9200");
    assertThat(json(rest.call("GET /_nodes/primary-node")).at("/_nodes/total").asInt())
        .isEqualTo(1);
  }

  @Test
  void theStateNamesEveryCopy() {
    JsonNode state = json(rest.call("GET /_cluster/state/routing_table,metadata"));

    assertThat(state.at("/routing_table/indices/a/shards/0/0/allocation_id/id").asString())
        .isEqualTo("a0p");
    assertThat(state.at("/metadata/indices/a/in_sync_allocations/0").size()).isEqualTo(2);
    assertThat(state.path("nodes").isMissingNode()).isTrue();
  }
}
