package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.MergedSegment;
import io.varve.events.ShardId;
import io.varve.events.SnapshotId;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * The calls with which a data node changes a copy of another one, for the shard 0 of the index
 * {@code books}, which has a primary and a replica. They are sent with the keys of the members that
 * hold these copies: each may do what its place allows, and nothing of the other's.
 *
 * @param folder of the data of the standalone
 */
record CallsBetweenNodes(RestCalls root, Path folder) {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * A copy and the process that has it.
   *
   * @param url of the port for other processes
   */
  private record Copy(
      String id, boolean primary, String nodeId, String node, String incarnation, String url) {

    int port() {
      return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    String named() {
      return "?copy_id=%s&incarnation=%s&reason=x".formatted(id, incarnation);
    }
  }

  private record Shard(ShardId id, long version, List<Copy> copies) {

    Copy primary() {
      return copies.stream().filter(Copy::primary).findFirst().orElseThrow();
    }

    Copy replica() {
      return copies.stream().filter(copy -> !copy.primary()).findFirst().orElseThrow();
    }

    String path(String endpoint) {
      return "/_internal/shards/%s/%d/%s".formatted(id.indexUuid(), id.number(), endpoint);
    }
  }

  private Shard shard() throws IOException {
    JsonNode state = root.get("/_cluster/state").orThrow().json();
    List<Copy> copies =
        StreamSupport.stream(state.at("/routing_table/indices/books/shards/0").spliterator(), false)
            .map(copy -> copy(state, copy))
            .toList();
    return new Shard(
        new ShardId(state.at("/metadata/indices/books/settings/index/uuid").asString(), 0),
        state.path("version").asLong(),
        copies);
  }

  private static Copy copy(JsonNode state, JsonNode copy) {
    JsonNode node = state.at("/nodes/" + copy.path("node").asString());
    return new Copy(
        copy.at("/allocation_id/id").asString(),
        copy.path("primary").asBoolean(),
        copy.path("node").asString(),
        node.path("name").asString(),
        node.path("ephemeral_id").asString(),
        node.path("transport_address").asString());
  }

  void areForTheRightfulNodeAlone() throws Exception {
    StrangeProcesses keys = StrangeProcesses.of(folder);
    Shard shard = shard();
    try (HttpClient primary = keys.member(shard.primary().node());
        HttpClient replica = keys.member(shard.replica().node())) {
      theReplicaIsNoPrimary(replica, shard);
      nobodyIsAdmittedByAnother(primary, shard);
      assertThat(shard()).isEqualTo(shard);
      refusalsAreAudited(shard);
      theReplicaIsAdmitted(replica, shard);
      thePrimaryAnnounces(primary, shard);
      thePrimaryHasTheReplicaBuiltAgain(primary, shard);
    }
  }

  private static void theReplicaIsNoPrimary(HttpClient replica, Shard shard) throws Exception {
    for (Copy copy : shard.copies()) {
      String told = shard.path("contradicted") + copy.named();
      isRefused(send(replica, copy, "POST", told, "{}"));
      isRefused(send(replica, copy, "POST", shard.path("merged"), "{}"));
      isRefused(send(replica, copy, "DELETE", shard.path("merged/1.1"), "{}"));
    }
  }

  private static void nobodyIsAdmittedByAnother(HttpClient primary, Shard shard) throws Exception {
    String admission = shard.path("admit") + shard.replica().named();
    isRefused(send(primary, shard.primary(), "POST", admission, "{}"));
  }

  private static void isRefused(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(403);
    assertThat(response.body()).contains("security_exception", "may not act for");
  }

  private void refusalsAreAudited(Shard shard) {
    AuditTopic topic = new AuditTopic(folder, "broker");
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          List<String> events = topic.events();
          for (Copy copy : shard.copies()) {
            for (String endpoint : List.of("contradicted", "merged", "merged/1.1")) {
              isAudited(events, copy, shard.path(endpoint), shard.replica());
            }
          }
          isAudited(events, shard.primary(), shard.path("admit"), shard.primary());
        });
  }

  private static void isAudited(List<String> events, Copy copy, String path, Copy caller) {
    assertThat(events)
        .anySatisfy(event ->
            assertThat(event)
                .contains(
                    "\"kind\":\"refused\"",
                    "\"node\":\"" + copy.node() + "\"",
                    "\"path\":\"" + path + "\"",
                    "that of the node [" + caller.nodeId() + "], which may not act for"));
  }

  private static void theReplicaIsAdmitted(HttpClient replica, Shard shard) throws Exception {
    HttpResponse<String> admitted =
        send(replica, shard.primary(), "POST", shard.path("admit") + shard.replica().named(), "");
    assertThat(admitted.statusCode()).as(admitted.body()).isEqualTo(200);
    assertThat(admitted.body()).contains("\"term\":");
  }

  private static void thePrimaryAnnounces(HttpClient primary, Shard shard) throws Exception {
    SnapshotId merge = new SnapshotId(1, 1_000_000);
    MergedSegment segment = new MergedSegment(shard.id(), merge, shard.primary().url(), List.of());
    HttpResponse<String> announced =
        send(
            primary,
            shard.replica(),
            "POST",
            shard.path("merged"),
            new String(Json.write(segment), StandardCharsets.UTF_8));
    assertThat(announced.statusCode()).as(announced.body()).isEqualTo(200);
    HttpResponse<String> over =
        send(primary, shard.replica(), "DELETE", shard.path("merged/" + merge), "");
    assertThat(over.statusCode()).as(over.body()).isEqualTo(200);
  }

  private void thePrimaryHasTheReplicaBuiltAgain(HttpClient primary, Shard shard) throws Exception {
    Copy replica = shard.replica();
    HttpResponse<String> told =
        send(primary, replica, "POST", shard.path("contradicted") + replica.named(), "");
    assertThat(told.statusCode()).as(told.body()).isEqualTo(200);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> shard().copies().stream().noneMatch(copy -> copy.id().equals(replica.id())));
    root.get("/_cluster/health/books?wait_for_status=green&timeout=2m").orThrow();
    assertThat(shard().primary()).isEqualTo(shard.primary());
  }

  private static HttpResponse<String> send(
      HttpClient caller, Copy copy, String method, String path, String body) throws Exception {
    return StrangeProcesses.send(caller, copy.port(), method, path, body);
  }
}
