package io.varve.coordinator.rest.cluster;

import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;

class NodeMetricsEndpointTest {

  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void oneNodeIsAskedForAllOrOneOfItsMetrics() {
    String path = "GET /_prometheus/metrics/" + FakeCluster.PRIMARY_NODE;

    MockHttpServletResponse all = rest.call(path);
    assertThat(all.getStatus()).isEqualTo(200);
    assertThat(all.getContentType()).startsWith("text/plain");
    assertThat(text(all)).contains("name=\"null\"");
    assertThat(text(rest.call(path + "?name=varve_one"))).contains("name=\"varve_one\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"_all", "nobody"})
  void anExpressionThatNamesNotOneNodeIsRefused(String expression) {
    MockHttpServletResponse refused = rest.call("GET /_prometheus/metrics/" + expression);

    assertThat(refused.getStatus()).isEqualTo(400);
    assertThat(text(refused)).contains("[node_id] must name one node");
  }
}
