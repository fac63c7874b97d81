package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole cluster with security: replicas are built and documents found although every process
 * needs the secret, and nobody gets in without it or without a user, also after a restart.
 */
@Tag("system")
class SecuredStandaloneTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path folder;

  private final int port;
  private final String url;

  SecuredStandaloneTest() throws IOException {
    port = FreePorts.next();
    url = "http://127.0.0.1:" + port;
  }

  private Standalone start() throws Exception {
    SecurityFolder security = new SecurityFolder(folder);
    Standalone standalone =
        Standalone.start(new Standalone.Settings(folder, port, "os", security.prepare()));
    assertThat(
            Readiness.awaitUp(url, Standalone.NODES, PATIENCE, () -> true, security::authorization))
        .contains("green");
    return standalone;
  }

  private static Supplier<Optional<String>> basic(String user, String password) {
    String pair = user + ":" + password;
    return () ->
        Optional.of(
            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void servesItsUsersAndNobodyElse() throws Exception {
    Supplier<Optional<String>> admin = new SecurityFolder(folder)::authorization;
    try (Standalone _ = start();
        RestCalls root = new RestCalls(url, PATIENCE, admin);
        RestCalls reader = new RestCalls(url, PATIENCE, basic("reader", "reader-password"))) {
      write(root);
      isClosedToStrangers();
      root.call(
              "PUT",
              "/_plugins/_security/api/internalusers/reader",
              "{\"password\":\"reader-password\",\"opendistro_security_roles\":[\"read_all\"]}")
          .orThrow();
      reads(reader);
    }
    try (Standalone _ = start();
        RestCalls root = new RestCalls(url, PATIENCE, admin);
        RestCalls reader = new RestCalls(url, PATIENCE, basic("reader", "reader-password"))) {
      isClosedToStrangers();
      reads(reader);
      root.call("DELETE", "/_plugins/_security/api/internalusers/reader", "").orThrow();
      assertThat(reader.get("/books/_search").status()).isEqualTo(401);
    }
  }

  private static void write(RestCalls root) throws IOException {
    root.call(
            "PUT",
            "/books",
            "{\"settings\":{\"index.number_of_replicas\":1,\"index.number_of_shards\":2}}")
        .orThrow();
    root.call("PUT", "/books/_doc/1?refresh=wait_for", "{\"title\":\"log\"}").orThrow();
    assertThat(
            root.get("/_cluster/health/books?wait_for_status=green&timeout=2m")
                .orThrow()
                .json()
                .path("security_enabled")
                .asBoolean())
        .isTrue();
  }

  private static void reads(RestCalls reader) throws IOException {
    for (String copy : List.of("_primary", "_replica")) {
      assertThat(
              reader
                  .get("/books/_search?preference=" + copy)
                  .orThrow()
                  .json()
                  .at("/hits/total/value")
                  .asInt())
          .isEqualTo(1);
    }
    assertThat(reader.call("PUT", "/books/_doc/2", "{}").status()).isEqualTo(403);
    assertThat(reader.call("DELETE", "/books", "").status()).isEqualTo(403);
    assertThat(reader.get("/_actuator/prometheus").status()).isEqualTo(403);
    assertThat(reader.get("/_console/").status()).isEqualTo(403);
    for (String path :
        List.of(
            "/_internal/cluster/state",
            "/_internal/searches/tasks",
            "/%5Finternal/searches/tasks",
            "/_internal;x=y/searches/tasks",
            "//_internal/searches/tasks")) {
      assertThat(reader.get(path).status()).as(path).isIn(400, 401, 403);
    }
  }

  private void isClosedToStrangers() throws Exception {
    try (RestCalls nobody = new RestCalls(url)) {
      for (String path :
          List.of(
              "/",
              "/books/_search",
              "/_cluster/state",
              "/_internal/cluster/state",
              "/%5Finternal/cluster/state",
              "//_internal/cluster/state",
              "/_internal/cluster/../cluster/state",
              "/_internal/searches/tasks",
              "/%5Finternal/searches/tasks",
              "/_internal;x=y/searches/tasks",
              "/_actuator/prometheus",
              "/_console/")) {
        assertThat(nobody.get(path).status()).as(path).isEqualTo(401);
      }
      assertThat(
              nobody
                  .call(
                      "POST",
                      "/_internal/cluster/commands",
                      "{\"command\":\"delete_indices\",\"names\":[\"books\"]}")
                  .status())
          .isEqualTo(401);
      assertThat(
              nobody
                  .call(
                      "POST",
                      "/_internal/security/commands",
                      "{\"command\":\"delete_user\",\"name\":\"admin\"}")
                  .status())
          .isEqualTo(401);
      assertThat(nobody.get("/_actuator/health").status()).isEqualTo(200);
    }
    dataNodesAreClosed();
  }

  private void dataNodesAreClosed() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      int shardPort = Ports.in(folder).of("shard");
      for (String path : List.of("/_internal/node", "/_internal/node/figures", "/_actuator/info")) {
        HttpResponse<String> response =
            http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + shardPort + path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path).isEqualTo(401);
        assertThat(response.body()).contains("security_exception");
      }
    }
  }
}
