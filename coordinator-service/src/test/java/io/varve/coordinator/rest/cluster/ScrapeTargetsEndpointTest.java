package io.varve.coordinator.rest.cluster;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class ScrapeTargetsEndpointTest {

  private final RestHarness rest = new RestHarness();
  private final FakeCluster cluster = rest.cluster;

  @AfterEach
  void close() {
    rest.close();
  }

  private void add(String id, String name, String url, String... roles) {
    Map<String, NodeInfo> nodes = new TreeMap<>(cluster.state().nodes());
    nodes.put(id, new NodeInfo(id, name, "i", Set.of(roles), url));
    cluster.change(state -> state.withNodes(nodes));
  }

  private JsonNode target(String address) {
    for (JsonNode group : json(rest.call("GET /_prometheus/targets"))) {
      if (group.path("targets").path(0).asString().equals(address)) {
        assertThat(group.path("targets")).hasSize(1);
        return group.path("labels");
      }
    }
    throw new AssertionError("no target " + address);
  }

  @ParameterizedTest
  @CsvSource({
    "coordinator, coordinator",
    "primary, shard-service",
    "replica, replication-service",
    "search, search-service",
    "ccr, ccr-follower"
  })
  void aProcessIsATargetWithItsServiceAndItsName(String role, String service) {
    add("x", "node-x", "http://10.0.0.7:9300", role);

    JsonNode labels = target("10.0.0.7:9300");

    assertThat(labels.path("service").asString()).isEqualTo(service);
    assertThat(labels.path("node").asString()).isEqualTo("node-x");
    assertThat(labels.path("cluster").asString()).isEqualTo(cluster.state().clusterName());
  }

  @Test
  void aNodeThatTakesPrimariesAndReplicasIsAShardService() {
    add("x", "node-x", "http://10.0.0.7:9300", NodeInfo.REPLICA, NodeInfo.PRIMARY);

    assertThat(target("10.0.0.7:9300").path("service").asString()).isEqualTo("shard-service");
  }

  @Test
  void aCoordinatorThatHasGivenUpItsRoleStaysACoordinator() {
    add("x", "node-x", "http://10.0.0.7:9300");

    assertThat(target("10.0.0.7:9300").path("service").asString()).isEqualTo("coordinator");
  }

  @Test
  void twoNodesOfOneAddressAreOneTarget() {
    add("x", "former", "http://10.0.0.7:9300", NodeInfo.REPLICA);
    add("y", "newer", "http://10.0.0.7:9300", NodeInfo.REPLICA);

    long targets =
        json(rest.call("GET /_prometheus/targets"))
            .valueStream()
            .filter(group -> group.path("targets").path(0).asString().equals("10.0.0.7:9300"))
            .count();

    assertThat(targets).isOne();
  }

  @Test
  void aNameWithMarkupAndQuotesStaysText() {
    String name = "<b>\"quoted\"\\</b>" + "x".repeat(10_000);
    add("x", name, "http://10.0.0.7:9300", NodeInfo.REPLICA);

    MockHttpServletResponse answer = rest.call("GET /_prometheus/targets");

    assertThat(answer.getContentType()).startsWith("application/json");
    assertThat(target("10.0.0.7:9300").path("node").asString()).isEqualTo(name);
  }

  @Test
  void withoutHeartbeatsTheTargetsAreUnknown() {
    cluster.change(state -> state.withNodes(Map.of()));

    MockHttpServletResponse answer = rest.call("GET /_prometheus/targets");

    assertThat(answer.getStatus()).isEqualTo(503);
  }

  @ParameterizedTest
  @CsvSource({"departed=x", "departing=1m"})
  void badParametersAreRefused(String parameter) {
    assertThat(rest.call("GET /_prometheus/targets?" + parameter).getStatus()).isEqualTo(400);
  }
}
