package io.varve.shard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.host.AppendFaults;
import io.varve.host.NodeWorld;
import io.varve.host.http.KnownState;
import io.varve.host.http.ShardEndpoint;
import io.varve.rpc.ApiException;
import io.varve.rpc.BulkWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class CopyEndpointsTest {

  @TempDir Path folder;
  private Map<String, ShardEndpoint> endpoints;
  private final WritePressure pressure = new WritePressure(10_000);
  private NodeWorld world;
  private PrimaryCopy primary;

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
    endpoints = new WriteEndpoints(60_000, new KnownState(world.node("n1").cluster())).byName();
    world.createIndex(Map.of(), "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
    primary = new PrimaryCopy(world.copy("n1"), 1, pressure, null);
  }

  @AfterEach
  void endWorld() {
    primary.close();
    world.close();
  }

  private static byte[] bulk(int titleLength) {
    byte[] body =
        ("{\"title\":\"" + "x".repeat(titleLength) + "\"}").getBytes(StandardCharsets.UTF_8);
    return BulkWire.encodeItems(List.of(WriteItem.index("a", body)));
  }

  private List<WriteResult> send(byte[] body) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/bulk");
    request.setParameter("term", "1");
    request.setContent(body);
    MockHttpServletResponse response = new MockHttpServletResponse();
    endpoints.get("POST bulk").handle(primary, "", request, response);
    return BulkWire.decodeResults(response.getContentAsByteArray());
  }

  private CompletableFuture<List<WriteResult>> begin(byte[] body) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return send(body);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @Test
  void writesThatWaitForTheGateCountAndAreLimited() throws Exception {
    CompletableFuture<List<WriteResult>> early = begin(bulk(8_000));
    await().atMost(Duration.ofMinutes(1)).until(() -> pressure.currentBytes() > 8_000);

    assertThatThrownBy(() -> send(bulk(8_000)))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.error().status()).isEqualTo(429));
    primary.start();

    assertThat(early.get(60, TimeUnit.SECONDS))
        .singleElement()
        .isInstanceOf(WriteResult.Done.class);
    // The reserved bytes are released after the response.
    await().atMost(Duration.ofMinutes(1)).until(() -> pressure.currentBytes() == 0);
  }

  @Test
  void aWriteThatIsStillUnderWayAfterItsAnswerCounts() throws Exception {
    primary.start();
    world.appends.ofOperations = AppendFaults.Fate.UNANSWERED;
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/bulk");
    request.setParameter("term", "1");
    request.addHeader(WriteEndpoints.TIMEOUT, "50");
    request.setContent(bulk(100));

    endpoints.get("POST bulk").handle(primary, "", request, new MockHttpServletResponse());

    assertThat(pressure.currentBytes()).isPositive();
    primary.close();
    assertThat(pressure.currentBytes()).isZero();
  }
}
