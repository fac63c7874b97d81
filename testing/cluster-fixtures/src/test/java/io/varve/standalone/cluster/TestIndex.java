package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;

/**
 * An index of a test: documents {@code d0}, {@code d1}, … whose field {@code n} is their number.
 */
final class TestIndex {

  static final Duration SOON = Duration.ofMinutes(2);

  private final RestCalls rest;
  private final String name;
  private String uuid = "";

  TestIndex(RestCalls rest, String name) {
    this.rest = rest;
    this.name = name;
  }

  /** Deletes all indices of the cluster, so that tests do not affect each other. */
  static void deleteAll(RestCalls rest) throws IOException {
    JsonNode metadata = rest.get("/_cluster/state/metadata").orThrow().json();
    Collection<String> names = metadata.at("/metadata/indices").propertyNames();
    if (!names.isEmpty()) {
      rest.call("DELETE", "/" + String.join(",", names), "").orThrow();
    }
  }

  String name() {
    return name;
  }

  String uuid() throws IOException {
    if (uuid.isEmpty()) {
      uuid =
          get("/_settings?flat_settings").path(name).path("settings").path("index.uuid").asString();
    }
    return uuid;
  }

  RestCalls.Answer call(String method, String path, String body) throws IOException {
    return rest.call(method, "/" + name + path, body);
  }

  JsonNode get(String path) throws IOException {
    return rest.get("/" + name + path).orThrow().json();
  }

  JsonNode put(int document) throws IOException {
    return put(document, "");
  }

  JsonNode put(int document, String parameters) throws IOException {
    return call("PUT", "/_doc/d" + document + parameters, "{\"n\":" + document + "}")
        .orThrow()
        .json();
  }

  /** Indexes documents {@code from} (inclusive) to {@code to} (exclusive); all must be acked. */
  void index(int from, int to) throws IOException {
    assertThat(bulk(from, to).path("errors").asBoolean()).isFalse();
  }

  JsonNode bulk(int from, int to) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      body.append("{\"index\":{\"_id\":\"d%d\"}}\n{\"n\":%d}\n".formatted(n, n));
    }
    return bulk(body.toString());
  }

  /** Sends lines of actions and sources. */
  JsonNode bulk(String lines) throws IOException {
    return rest.call("POST", "/" + name + "/_bulk", "application/x-ndjson", lines.getBytes(UTF_8))
        .orThrow()
        .json();
  }

  /** Deletes some documents and indexes one, in one bulk. */
  void replace(List<Integer> deleted, int indexed) throws IOException {
    StringBuilder body = new StringBuilder();
    deleted.forEach(n -> body.append("{\"delete\":{\"_id\":\"d%d\"}}\n".formatted(n)));
    body.append("{\"index\":{\"_id\":\"d%d\"}}\n{\"n\":%d}\n".formatted(indexed, indexed));
    assertThat(bulk(body.toString()).path("errors").asBoolean()).isFalse();
  }

  void delete(int from, int to) throws IOException {
    for (int n = from; n < to; n++) {
      call("DELETE", "/_doc/d" + n, "").orThrow();
    }
  }

  /** Refreshes every copy. */
  void refresh() throws IOException {
    assertThat(call("POST", "/_refresh", "").orThrow().json().at("/_shards/failed").asInt())
        .isZero();
  }

  int count(String preference) throws IOException {
    return get("/_count?preference=" + preference).path("count").asInt();
  }

  void awaitCount(String preference, int expected) {
    Await.within(SOON).untilAsserted(() -> assertThat(count(preference)).isEqualTo(expected));
  }

  void awaitGreen() {
    awaitHealth("green");
  }

  void awaitHealth(String status) {
    Await.within(SOON)
        .untilAsserted(() ->
            assertThat(rest.get("/_cluster/health/" + name).json().path("status").asString())
                .isEqualTo(status));
  }

  /** Returns its rows of {@code _cat/shards} with the given columns. */
  List<JsonNode> copies(String columns) throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    rest.get("/_cat/shards/" + name + "?format=json&h=prirep,node,state," + columns)
        .orThrow()
        .json()
        .forEach(rows::add);
    return rows;
  }

  /** Returns the names of the nodes with started copies of that kind: p, r or s. */
  List<String> nodesOf(String kind) throws IOException {
    return copies("shard").stream()
        .filter(row -> row.path("prirep").asString("").equals(kind))
        .filter(row -> row.path("state").asString("").equals("STARTED"))
        .map(row -> row.path("node").asString(""))
        .toList();
  }

  String nodeOfPrimary() throws IOException {
    List<String> nodes = nodesOf("p");
    assertThat(nodes).hasSize(1);
    return nodes.getFirst();
  }

  void awaitPrimaryElsewhereThan(String node) {
    Await.within(SOON)
        .until(() -> {
          List<String> nodes = nodesOf("p");
          return nodes.size() == 1 && !nodes.getFirst().equals(node);
        });
  }

  /** Returns its rows of {@code _cat/segment_replication}. */
  List<JsonNode> replicationRows(String parameters) throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    rest.get("/_cat/segment_replication/" + name + "?format=json" + parameters)
        .orThrow()
        .json()
        .forEach(rows::add);
    return rows;
  }

  /** Returns the content of that copy of its first shard. */
  SortedMap<String, String> contents(String copy) throws Exception {
    return CopyContents.read(rest, name, 0, copy);
  }
}
