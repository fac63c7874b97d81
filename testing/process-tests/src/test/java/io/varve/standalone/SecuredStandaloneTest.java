package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.kafka.FreePorts;
import io.varve.rpc.ClusterCalls;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A whole cluster with security: replicas are built and documents found over connections with TLS
 * and certificates, and nobody gets in without a certificate or a user, also after a restart.
 */
@Tag("system")
class SecuredStandaloneTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path folder;

  private final int port;
  private final String url;

  SecuredStandaloneTest() throws IOException {
    port = FreePorts.next();
    url = "https://127.0.0.1:" + port;
  }

  private Standalone start() throws Exception {
    SecurityFolder security = new SecurityFolder(folder);
    Standalone standalone =
        Standalone.start(
            new Standalone.Settings(folder, port, "os", PatientLeader.arguments(), false, true));
    assertThat(standalone.url()).isEqualTo(url);
    assertThat(Readiness.awaitUp(url, Standalone.NODES, PATIENCE, () -> true, security.access()))
        .contains("green");
    return standalone;
  }

  private RestCalls admin() throws IOException {
    return new RestCalls(url, PATIENCE, new SecurityFolder(folder).access());
  }

  private RestCalls basic(String user, String password) throws IOException {
    String pair = user + ":" + password;
    String header =
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return new RestCalls(
        url,
        PATIENCE,
        new RestAccess(
            () -> Optional.of(header), Optional.of(new SecurityFolder(folder).trusting())));
  }

  @Test
  void servesItsUsersAndNobodyElse() throws Exception {
    try (Standalone _ = start();
        RestCalls root = admin();
        RestCalls reader = basic("reader", "reader-password")) {
      write(root);
      isClosedToStrangers();
      root.call(
              "PUT",
              "/_plugins/_security/api/internalusers/reader",
              "{\"password\":\"reader-password\",\"opendistro_security_roles\":[\"read_all\"]}")
          .orThrow();
      reads(reader);
      metricsOfDataNodesAreForUsersWhoMaySeeThem(root, reader);
    }
    try (Standalone _ = start();
        RestCalls root = admin();
        RestCalls reader = basic("reader", "reader-password")) {
      isClosedToStrangers();
      reads(reader);
      root.call("DELETE", "/_plugins/_security/api/internalusers/reader", "").orThrow();
      assertThat(reader.get("/books/_search").status()).isEqualTo(401);
    }
  }

  /** The index is strong, so that the primary has to admit a replica before it starts. */
  private static void write(RestCalls root) throws IOException {
    root.call(
            "PUT",
            "/books",
            "{\"settings\":{\"index.number_of_replicas\":1,\"index.number_of_shards\":2,"
                + "\"index.replication.consistency\":\"strong\"}}")
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

  private static void metricsOfDataNodesAreForUsersWhoMaySeeThem(RestCalls root, RestCalls reader)
      throws IOException {
    int processes = 0;
    for (JsonNode group : root.get("/_prometheus/targets").orThrow().json()) {
      String path = "/_prometheus/metrics/" + group.at("/labels/node").asString();
      assertThat(root.get(path).orThrow().text()).as(path).contains("# HELP ");
      assertThat(reader.get(path).status()).as(path).isEqualTo(403);
      processes++;
    }
    assertThat(processes).isEqualTo(Standalone.NODES);
  }

  private void isClosedToStrangers() throws Exception {
    try (RestCalls nobody =
        new RestCalls(
            url,
            PATIENCE,
            new RestAccess(Optional::empty, Optional.of(new SecurityFolder(folder).trusting())))) {
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
        assertThat(nobody.get(path).status()).as(path).isIn(401, 403);
      }
      assertThat(
              nobody
                  .call(
                      "POST",
                      "/_internal/cluster/commands",
                      "{\"command\":\"delete_indices\",\"names\":[\"books\"]}")
                  .status())
          .isEqualTo(403);
      assertThat(
              nobody
                  .call(
                      "POST",
                      "/_internal/security/commands",
                      "{\"command\":\"delete_user\",\"name\":\"admin\"}")
                  .status())
          .isEqualTo(403);
      assertThat(nobody.get("/_actuator/health").status()).isEqualTo(200);
    }
    dataNodesAreClosed();
  }

  private void dataNodesAreClosed() throws Exception {
    SSLContext tls = new SecurityFolder(folder).trusting();
    for (String path : List.of("/_internal/node", "/_internal/node/figures", "/_actuator/info")) {
      try (HttpClient http = HttpClient.newBuilder().sslContext(tls).build()) {
        HttpResponse<String> response =
            StrangeProcesses.send(http, Ports.in(folder).of("shard"), "GET", path, "");
        assertThat(response.statusCode()).as(path).isEqualTo(403);
        assertThat(response.body()).contains("security_exception");
        for (String process : List.of("coordinator", "shard", "replica", "ccr")) {
          int internal = Ports.in(folder).of(process + SecurityFolder.INTERNAL);
          assertThatThrownBy(() -> StrangeProcesses.send(http, internal, "GET", path, ""))
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  private HttpClient process(ServiceKind service) throws Exception {
    return StrangeProcesses.of(folder).client(service);
  }

  @Test
  void aProcessCallsOnlyWhatItsServiceMay() throws Exception {
    String deletion = "{\"command\":\"delete_indices\",\"names\":[\"books\"]}";
    try (Standalone standalone = start();
        RestCalls root = admin();
        HttpClient replica = process(ServiceKind.REPLICATION_SERVICE);
        HttpClient shard = process(ServiceKind.SHARD_SERVICE)) {
      write(root);
      int coordinator = Ports.in(folder).of("coordinator" + SecurityFolder.INTERNAL);
      int node = Ports.in(folder).of("shard" + SecurityFolder.INTERNAL);
      actsForNoOtherNode(root, replica, coordinator);
      changesNoCopyOfAnotherNode(root, replica);
      new CallsBetweenNodes(root, folder).areForTheRightfulNodeAlone();
      for (HttpClient process : List.of(replica, shard)) {
        isRefused(
            StrangeProcesses.send(
                process, coordinator, "POST", "/_internal/cluster/commands", deletion));
        isRefused(
            StrangeProcesses.send(process, coordinator, "GET", "/_internal/cluster/state", ""));
        isRefused(
            StrangeProcesses.send(
                process,
                coordinator,
                "POST",
                "/_internal/security/commands",
                "{\"command\":\"delete_user\",\"name\":\"admin\"}"));
        isRefused(StrangeProcesses.send(process, node, "GET", "/_internal/node", ""));
        for (String path :
            List.of(
                "/%5Finternal/cluster/commands",
                "//_internal/cluster/commands",
                "/_internal/shards/../cluster/commands",
                "/_internal/cluster;x=y/commands")) {
          assertThat(
                  StrangeProcesses.send(process, coordinator, "POST", path, deletion).statusCode())
              .as(path)
              .isBetween(400, 404);
        }
      }
      StrangeProcesses.of(folder).areRefused(standalone, root);
      assertThat(root.get("/books/_doc/1").orThrow().json().path("found").asBoolean()).isTrue();
    }
  }

  /** With all that is needed for an effect: the state has the copies and the processes. */
  private void actsForNoOtherNode(RestCalls root, HttpClient process, int port) throws Exception {
    JsonNode state = root.get("/_cluster/state").orThrow().json();
    ShardId shard = shard(state);
    for (JsonNode copy : state.at("/routing_table/indices/books/shards/0")) {
      String copyId = copy.at("/allocation_id/id").asString();
      String node = copy.path("node").asString();
      String incarnation = state.at("/nodes/" + node + "/ephemeral_id").asString();
      assertThat(incarnation).isNotEmpty();
      Map.of(
              "terms", new ClusterCalls.NewTerm(shard, copyId, node, 1, "x"),
              "copies/started", new ClusterCalls.CopyStarted(shard, copyId, incarnation, 1),
              "copies/failed", new ClusterCalls.CopyFailed(shard, copyId, incarnation, "x"))
          .forEach((path, call) -> {
            HttpResponse<String> response = call(process, port, path, call);
            assertThat(response.statusCode()).as(path + response.body()).isEqualTo(403);
            assertThat(response.body()).contains("may not act for the node [" + node + "]");
          });
    }
    assertThat(version(root)).isEqualTo(state.path("version"));
    isAudited("coordinator", "/_internal/cluster/copies/failed", "may not act for the node");
  }

  private static ShardId shard(JsonNode state) {
    return new ShardId(state.at("/metadata/indices/books/settings/index/uuid").asString(), 0);
  }

  private static JsonNode version(RestCalls root) throws IOException {
    return root.get("/_cluster/state/version").orThrow().json().path("version");
  }

  /** The copies that are told are there, and run in the process that is named. */
  private void changesNoCopyOfAnotherNode(RestCalls root, HttpClient process) throws Exception {
    JsonNode state = root.get("/_cluster/state").orThrow().json();
    ShardId shard = shard(state);
    for (JsonNode copy : state.at("/routing_table/indices/books/shards/0")) {
      JsonNode node = state.at("/nodes/" + copy.path("node").asString());
      String address = node.path("transport_address").asString();
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      String path = "/_internal/shards/%s/0/".formatted(shard.indexUuid());
      String told =
          "?copy_id=%s&incarnation=%s&reason=x"
              .formatted(
                  copy.at("/allocation_id/id").asString(), node.path("ephemeral_id").asString());
      mayNotAct(process, port, "POST", path + "contradicted" + told);
      mayNotAct(process, port, "POST", path + "admit" + told);
      mayNotAct(process, port, "POST", path + "merged");
      mayNotAct(process, port, "DELETE", path + "merged/1.1");
      isAudited(node.path("name").asString(), path + "contradicted", "the primary of " + shard);
    }
    assertThat(version(root)).isEqualTo(state.path("version"));
  }

  private static void mayNotAct(HttpClient process, int port, String method, String path)
      throws Exception {
    HttpResponse<String> response = StrangeProcesses.send(process, port, method, path, "{}");
    assertThat(response.statusCode()).as(path + response.body()).isEqualTo(403);
    assertThat(response.body()).contains("may not act for");
  }

  private void isAudited(String node, String path, String reason) {
    AuditTopic topic = new AuditTopic(folder, "broker");
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(topic.events())
                .anySatisfy(event ->
                    assertThat(event)
                        .contains(
                            "\"kind\":\"refused\"",
                            "\"node\":\"" + node + "\"",
                            "\"path\":\"" + path + "\"",
                            reason)));
  }

  private static HttpResponse<String> call(HttpClient process, int port, String path, Object call) {
    try {
      return StrangeProcesses.send(
          process,
          port,
          "POST",
          "/_internal/cluster/" + path,
          new String(Json.write(call), StandardCharsets.UTF_8));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void isRefused(HttpResponse<String> response) {
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).contains("may not call");
  }
}
