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
import tools.jackson.databind.JsonNode;

class NodeAddressesTest {

  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void thePortForProcessesIsNotShownToClients() {
    Map<String, NodeInfo> nodes = new TreeMap<>(rest.cluster.state().nodes());
    nodes.put(
        "tls",
        new NodeInfo(
            "tls", "tls", "incarnation", Set.of(NodeInfo.COORDINATOR), "https://127.0.0.1:9777"));
    rest.cluster.change(s -> FakeCluster.copy(s, nodes, s.indices()));

    JsonNode http = json(rest.call("GET /_nodes/http")).path("nodes");
    assertThat(http.at("/tls/http").isMissingNode()).isTrue();
    assertThat(http.at("/coordinator-node/http/publish_address").asString())
        .isEqualTo("127.0.0.1:9200");
    JsonNode settings = json(rest.call("GET /_nodes/settings?flat_settings")).path("nodes");
    assertThat(settings.at("/tls/settings").has("http.port")).isFalse();
    assertThat(RestHarness.text(rest.call("GET /_cat/nodes?h=http&s=name")).lines())
        .map(String::strip)
        .contains("127.0.0.1:9200", "-")
        .doesNotContain("127.0.0.1:9777");
  }
}
