package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Cluster settings take effect in the processes of a running cluster. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class ClusterSettingsEffectTest {

  private static final String NAME = "io.varve.standalone.cluster.loud";
  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(NAME);

  private RestCalls rest;

  @BeforeEach
  void connect(ServicesInOneJvm cluster) {
    rest = cluster.rest();
  }

  @AfterEach
  void removeSettings() throws IOException {
    put("{\"persistent\": {\"logger.*\": null, \"indices.breaker.*\": null}}").orThrow();
  }

  private RestCalls.Answer put(String body) throws IOException {
    return rest.call("PUT", "/_cluster/settings", body);
  }

  @Test
  void theLevelOfALoggerIsSetAndResetByNull() throws Exception {
    put("{\"persistent\": {\"logger." + NAME + "\": \"debug\"}}").orThrow();
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(LOGGER.getLevel()).isEqualTo(Level.DEBUG));

    put("{\"persistent\": {\"logger." + NAME + "\": null}}").orThrow();
    Await.within(TestIndex.SOON).untilAsserted(() -> assertThat(LOGGER.getLevel()).isNull());
  }

  @Test
  void aTextThatIsNoLevelIsRefusedAsOpenSearchDoes() throws Exception {
    RestCalls.Answer answer = put("{\"transient\": {\"logger." + NAME + "\": \"loud\"}}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/error/type").asString()).isEqualTo("illegal_argument_exception");
    assertThat(answer.json().at("/error/reason").asString())
        .isEqualTo("Unknown level constant [LOUD].");
  }

  @Test
  void limitsAndOverheadsOfBreakersHoldOnTheNodes() throws Exception {
    put("""
    {"persistent": {"indices.breaker": {
      "request": {"limit": "1mb", "overhead": 1.5}, "fielddata": {"overhead": 2}}}}\
    """)
        .orThrow();

    Await.within(TestIndex.SOON)
        .untilAsserted(() -> {
          JsonNode request = breakers().get("request");
          assertThat(request.get("limit_size_in_bytes").asLong()).isEqualTo(1 << 20);
          assertThat(request.get("overhead").asDouble()).isEqualTo(1.5);
          assertThat(breakers().at("/fielddata/overhead").asDouble()).isEqualTo(2);
        });
  }

  /** Of one data node. */
  private JsonNode breakers() throws IOException {
    JsonNode nodes = rest.get("/_nodes/shard-1/stats/breaker").orThrow().json().get("nodes");
    return nodes.values().iterator().next().get("breakers");
  }

  @Test
  void settingsThatOpenSearchReadsAtStartUpOnlyAreRefused() throws Exception {
    RestCalls.Answer answer = put("{\"persistent\": {\"indices.breaker.request.type\": \"noop\"}}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/error/reason").asString())
        .isEqualTo("persistent setting [indices.breaker.request.type], not dynamically updateable");
  }
}
