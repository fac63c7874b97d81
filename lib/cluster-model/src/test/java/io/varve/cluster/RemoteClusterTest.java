package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.events.Json;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the choice of a coordinator of another cluster and the interpretation of its responses. */
class RemoteClusterTest {

  private static final String NOBODY = "127.0.0.1:1";

  private final List<HttpServer> servers = new ArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    servers.forEach(server -> server.stop(0));
    http.close();
  }

  private String seed(String name, int status, byte[] answer) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(name + " " + exchange.getRequestURI());
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private static RemoteCluster.Export exportOf(String index) {
    return new RemoteCluster.Export(
        "there", "c", "kafka:9092", Clusters.index(index, 1, 0), "ops", "id", null);
  }

  private String good(String name) throws IOException {
    return seed(name, 200, Json.write(exportOf("books")));
  }

  private RemoteCluster.Export export(String index, String... seeds) throws Exception {
    return new RemoteCluster(http, List.of(seeds)).export(index);
  }

  @Test
  void theFirstSeedThatAnswersIsAskedAlone() throws Exception {
    assertThat(export("books", good("one"), good("two"))).isEqualTo(exportOf("books"));
    assertThat(asked).containsExactly("one /_internal/cluster/export/books");
  }

  @Test
  void theNextSeedIsAskedWhenOneDoesNotAnswer() throws Exception {
    assertThat(export("books", NOBODY, seed("ill", 503, new byte[0]), good("well")))
        .isEqualTo(exportOf("books"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>It works!</html>", "", "[]", "{}", "{\"index\":7}"})
  void theNextSeedIsAskedWhenOneIsNoCoordinator(String page) throws Exception {
    String stranger = seed("stranger", 200, page.getBytes(StandardCharsets.UTF_8));

    assertThat(export("books", stranger, good("coordinator"))).isEqualTo(exportOf("books"));
    assertThatThrownBy(() -> export("books", stranger)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no host:9200", "host:port", ":", "[::1"})
  void theNextSeedIsAskedWhenOneIsNoAddress(String noAddress) throws Exception {
    assertThat(export("books", noAddress, good("coordinator"))).isEqualTo(exportOf("books"));
    assertThatThrownBy(() -> export("books", noAddress)).isInstanceOf(IOException.class);
  }

  @Test
  void anIndexIsMissingWhenNoSeedHasItAndOneSaysSo() throws Exception {
    String without = seed("without", 404, new byte[0]);

    assertThatThrownBy(() -> export("books", NOBODY, without))
        .isInstanceOf(RemoteCluster.MissingIndexException.class);
    assertThatThrownBy(() -> export("books", without, NOBODY))
        .as("the answer counts, not the seed that does not answer")
        .isInstanceOf(RemoteCluster.MissingIndexException.class);
    assertThat(export("books", without, good("behind it")))
        .as("one that does not know of it yet")
        .isEqualTo(exportOf("books"));
  }

  @Test
  void aNameIsNeverMoreThanOnePartOfThePath() throws Exception {
    assertThat(export("../nodes?a b%2f+", good("one"))).isNotNull();
    assertThat(asked).containsExactly("one /_internal/cluster/export/..%2Fnodes%3Fa%20b%252f%2B");
  }

  @Test
  void failsWithoutSeeds() {
    assertThatThrownBy(() -> export("books"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no seeds are configured");
  }

  private static final RemoteCluster.Follower FOLLOWER =
      new RemoteCluster.Follower("west", "copy", "copy-uuid", "east");

  private void forget(String... seeds) throws Exception {
    new RemoteCluster(http, List.of(seeds)).forget("books", FOLLOWER);
  }

  private static byte[] failed(String type) {
    return ("{\"_shards\":{\"total\":2,\"successful\":1,\"failed\":1,\"failures\":[{\"shard\":1,"
            + "\"reason\":{\"type\":\""
            + type
            + "\",\"reason\":\"why\"}}]}}")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aRefusalHasTheErrorOfTheOtherCluster() throws Exception {
    String refusing =
        seed(
            "refusing",
            400,
            Json.write(ErrorBodies.response(ErrorBody.illegalArgument("an alias"), null)));

    assertThatThrownBy(() -> export("books", refusing))
        .isInstanceOfSatisfying(
            RemoteCluster.RefusedException.class,
            e -> assertThat(e.error()).isEqualTo(ErrorBody.illegalArgument("an alias")));
  }

  @Test
  void aFollowerWithoutLeasesIsForgottenAlready() throws Exception {
    forget(NOBODY, seed("one", 200, failed(RemoteCluster.NO_LEASE)));
    forget(seed("two", 404, new byte[0]));

    assertThat(asked)
        .containsExactly("one /books/_ccr/forget_follower", "two /books/_ccr/forget_follower");
  }

  @Test
  void aLeaseThatStaysIsReported() throws Exception {
    String failing = seed("failing", 200, failed("log_unavailable_exception"));

    assertThatThrownBy(() -> forget(failing))
        .isInstanceOf(RemoteCluster.RefusedException.class)
        .hasMessageContaining("why");
  }

  @Test
  void aClusterDescribesItselfUnlessItsReleaseIsOlder() throws Exception {
    RemoteCluster.Description description =
        new RemoteCluster.Description("there", "c", "kafka:9092", Map.of("books", "u"));
    String described = seed("new", 200, Json.write(description));
    String old = seed("old", 404, new byte[0]);

    assertThat(new RemoteCluster(http, List.of(NOBODY, described)).describe())
        .isEqualTo(description);
    assertThat(asked).containsExactly("new /_internal/cluster/export");
    assertThatThrownBy(() -> new RemoteCluster(http, List.of(old)).describe())
        .isInstanceOf(RemoteCluster.RefusedException.class)
        .hasMessageContaining("without support for auto-follow");
  }
}
