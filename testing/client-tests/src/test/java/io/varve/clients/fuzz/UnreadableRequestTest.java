package io.varve.clients.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.clients.RunningVarve;
import io.varve.events.Json;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Checks that requests which the HTTP server itself rejects get an error in OpenSearch's format.
 */
@Tag("system")
class UnreadableRequestTest {

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/%zz/_search", "/books/_doc/%00", "/a b"})
  void isAnsweredWithJsonAndTheConnectionServesOn(String target) throws IOException {
    FuzzRequest odd = new FuzzRequest("GET", target, Map.of(), new byte[0]);
    FuzzRequest even = new FuzzRequest("GET", "/", Map.of(), new byte[0]);
    try (RawConnection connection =
        new RawConnection(RunningVarve.url(), RunningVarve.access(), 75_000)) {
      RawConnection.Reply refused = connection.send(odd);
      JsonNode answer = Json.mapper().readTree(refused.body());

      assertThat(refused.status()).isEqualTo(400);
      assertThat(answer.path("status").asInt()).isEqualTo(400);
      assertThat(answer.path("error").isMissingNode()).isFalse();
      assertThat(connection.send(even).status()).isEqualTo(200);
    }
  }
}
