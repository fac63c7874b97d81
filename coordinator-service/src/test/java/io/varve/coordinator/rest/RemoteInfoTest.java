package io.varve.coordinator.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.RemoteFiles;
import io.varve.coordinator.rest.ccr.RemoteInfoEndpoint;
import io.varve.events.Json;
import io.varve.process.Parallel;
import io.varve.rest.BodyFormat;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * {@code _remote/info} with a seed that answers, one that refuses connections and one that returns
 * an error.
 */
class RemoteInfoTest {

  /** No server listens on port 1. */
  private static final String GONE = "127.0.0.1:1";

  private final FakeCluster cluster = new FakeCluster();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Parallel parallel = new Parallel();
  private HttpServer well;
  private HttpServer ill;

  @BeforeEach
  void start() throws Exception {
    well = answering(200);
    ill = answering(503);
  }

  private static HttpServer answering(int status) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String address(HttpServer server) {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    well.stop(0);
    ill.stop(0);
    http.close();
    parallel.close();
  }

  private JsonNode info() throws Exception {
    RestResponder responder = new RestResponder(false, null, BodyFormat.JSON);
    new RemoteInfoEndpoint(cluster, new RemoteFiles(Path.of("remote"), http), parallel)
        .prepare(new RestRequest(RestMethod.GET, "/_remote/info", Map.of(), new byte[0]))
        .run(responder);
    return Json.mapper().readTree(responder.bytes());
  }

  @Test
  void countsTheSeedsThatAnswerByCluster() throws Exception {
    cluster.setting("cluster.remote.near.seeds", address(well) + "," + address(ill) + "," + GONE);
    cluster.setting("cluster.remote.near.skip_unavailable", "true");
    cluster.setting("cluster.remote.far.seeds", GONE);

    JsonNode info = info();

    JsonNode near = info.path("near");
    assertThat(near.path("connected").asBoolean()).isTrue();
    assertThat(near.path("num_nodes_connected").asInt()).isEqualTo(1);
    assertThat(near.path("max_connections_per_cluster").asInt()).isEqualTo(3);
    assertThat(near.path("skip_unavailable").asBoolean()).isTrue();
    assertThat(near.path("seeds").get(0).asString()).isEqualTo(address(well));
    JsonNode far = info.path("far");
    assertThat(far.path("connected").asBoolean()).isFalse();
    assertThat(far.path("num_nodes_connected").asInt()).isZero();
    assertThat(far.path("skip_unavailable").asBoolean()).isFalse();
  }

  @Test
  void anAddressThatIsNoneDoesNotAnswer() throws Exception {
    cluster.setting("cluster.remote.odd.seeds", "no host:no port");

    assertThat(info().path("odd").path("connected").asBoolean()).isFalse();
  }

  @Test
  void showsNothingWithoutRemoteClusters() throws Exception {
    assertThat(info().isEmpty()).isTrue();
  }
}
