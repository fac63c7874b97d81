package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.clients.RunningVarve;
import io.varve.cluster.ClusterSettings;
import io.varve.events.Json;
import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * With a heap of 512 MB, every request is answered and never with 500, no node leaves, no context
 * stays open, and the memory is released. {@code -Dfuzz.seed} and {@code -Dfuzz.count} select
 * another run, or repeat one.
 *
 * <p>It deletes everything in the cluster, so it is the last class to run.
 */
@Tag("system")
@Order(Integer.MAX_VALUE)
class FuzzTest {

  private static final String MAPPING =
      """
      {"settings":{"number_of_shards":2,"number_of_replicas":0},
       "mappings":{"properties":{
        "title":{"type":"text","fields":{"raw":{"type":"keyword"}}},
        "tag":{"type":"keyword"},"pages":{"type":"integer"},"price":{"type":"double"},
        "day":{"type":"date"},"sold":{"type":"boolean"},"from":{"type":"ip"},
        "place":{"type":"geo_point"},"a":{"properties":{"b":{"type":"keyword"}}}}}}
      """;
  private static final String UNBLOCKED =
      """
      {"index.blocks":{"read_only":null,"read_only_allow_delete":null,"metadata":null,"read":null,"write":null}}
      """;
  private static final String DOCUMENTS =
      """
      {"index":{"_id":"1"}}
      {"title":"layers of sand","tag":"geology","pages":120,"price":9.5,"day":"2024-02-29","sold":true,"from":"10.0.0.1","place":{"lat":50.1,"lon":8.6},"a":{"b":"x"}}
      {"index":{"_id":"2"}}
      {"title":["lakes","of ice"],"tag":["geology","climate"],"pages":[80,81],"price":-1,"day":1700000000000,"sold":false,"from":"::1","place":"0,0","a":{"b":["x","y"]}}
      {"index":{"_id":"3"}}
      {"title":null,"unmapped":{"deep":[1,2]}}
      """;

  /** Enough documents for aggregations with many buckets. */
  private static final int MANY = 2_000;

  private static final String MANY_MAPPING =
      """
      {"settings":{"number_of_shards":2,"number_of_replicas":0},
       "mappings":{"properties":{
        "title":{"type":"text"},"tag":{"type":"keyword"},"n":{"type":"long"},
        "day":{"type":"date"}}}}
      """;

  /** How long a write waits for its visibility; see {@link RequestFuzzer#LONGEST_WAIT_SECONDS}. */
  private static final String SHORT_WAIT = RequestFuzzer.LONGEST_WAIT_SECONDS + "s";

  /**
   * The first tenth of a run fills the buffer pools of clients and broker, the caches, and the
   * metrics by kind of request.
   */
  private static final int WARM_UP_SHARE = 10;

  /** Heap that segments, caches and the log may gain after the warm-up. */
  private static final long KEPT_BYTES = 96L << 20;

  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  private final String url = RunningVarve.url();

  @Test
  void aSliceFindsNoServerError() throws Exception {
    fuzz(Integer.getInteger("fuzz.count", 1500));
  }

  @Test
  @Tag("nightly")
  void aHundredThousandFindNoServerErrorNoHangAndNoLeakedContext() throws Exception {
    fuzz(Integer.getInteger("fuzz.count.nightly", 100_000));
  }

  private void fuzz(int count) throws Exception {
    long seed = Long.getLong("fuzz.seed", 3);
    RestAccess access = RunningVarve.access();
    try (RestCalls rest = new RestCalls(url, CALL_TIMEOUT, access)) {
      List<Operation> operations = Operation.of(rest.get("/openapi.json").orThrow().json());
      FuzzRun run =
          new FuzzRun(url, access, seed, new RequestFuzzer(operations, Seeds.ofSpecification()));
      restore(rest);
      List<String> nodes = nodes(rest);
      int warmUp = count / WARM_UP_SHARE;
      run.run(0, warmUp, () -> restore(rest));
      long warm = RunningVarve.heapAfterCollection();
      run.run(warmUp, count, () -> restore(rest));
      System.out.println(run.summary());
      List<String> shown = new ArrayList<>();
      new TreeMap<>(run.findings()).forEach((kind, first) -> shown.add(kind + "\n   " + first));
      assertThat(shown).as("findings of seed %d", seed).isEmpty();
      assertNothingIsOpen(rest);
      assertThat(nodes(rest)).as("nodes in the cluster").isEqualTo(nodes);
      long after = RunningVarve.heapAfterCollection();
      System.out.println("heap after collection: " + warm + " warm, " + after + " at the end");
      assertThat(after)
          .as("heap after collection")
          .isLessThan(warm + KEPT_BYTES)
          .isLessThan(Runtime.getRuntime().maxMemory() / 2);
    }
  }

  /**
   * The ids of the nodes in the cluster. A restarted node keeps its id, so the list must not
   * change.
   */
  private static List<String> nodes(RestCalls rest) {
    List<String> ids = new ArrayList<>();
    untilTaken(() -> rest.get("/_nodes")).json().path("nodes").forEachEntry((id, _) -> ids.add(id));
    ids.sort(null);
    return ids;
  }

  /** Restores the cluster to one setting and to the indices that most requests use. */
  private static void restore(RestCalls rest) {
    JsonNode settings = untilTaken(() -> rest.get("/_cluster/settings?flat_settings=true")).json();
    Map<String, Map<String, Object>> changes = new TreeMap<>();
    for (String level : List.of("persistent", "transient")) {
      Map<String, Object> values = new TreeMap<>();
      settings.path(level).forEachEntry((name, _) -> values.put(name, Json.mapper().nullNode()));
      changes.put(level, values);
    }
    changes.get("persistent").put(ClusterSettings.VISIBLE_TIMEOUT, SHORT_WAIT);
    String body = Json.mapper().writeValueAsString(changes);
    untilTaken(() -> rest.call("PUT", "/_cluster/settings", body));
    JsonNode indices =
        untilTaken(() -> rest.get("/_cat/indices?format=json&h=index&expand_wildcards=all")).json();
    for (JsonNode index : indices) {
      delete(rest, index.path("index").asString());
    }
    untilTaken(() -> rest.call("PUT", "/books", MAPPING));
    untilTaken(() -> bulk(rest, "books", DOCUMENTS));
    untilTaken(() -> rest.call("PUT", "/" + HostileSearches.INDEX, MANY_MAPPING));
    untilTaken(() -> bulk(rest, HostileSearches.INDEX, many()));
  }

  private static RestCalls.Answer bulk(RestCalls rest, String index, String lines)
      throws IOException {
    String path = "/" + index + "/_bulk?refresh=true";
    return rest.call("POST", path, "application/x-ndjson", lines.getBytes(UTF_8));
  }

  private static String many() {
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < MANY; n++) {
      lines
          .append("{\"index\":{\"_id\":\"")
          .append(n)
          .append("\"}}\n{\"title\":\"layers of sand ")
          .append(n)
          .append("\",\"tag\":\"tag-")
          .append(n)
          .append("\",\"n\":")
          .append(n)
          .append(",\"day\":")
          .append(n * 86_400_000L)
          .append("}\n");
    }
    return lines.toString();
  }

  /** Retries after 503 and 429: the broker lacks CPU time, or the heap is full of garbage. */
  private static RestCalls.Answer untilTaken(Callable<RestCalls.Answer> call) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .pollDelay(Duration.ZERO)
        .until(call, answer -> answer.status() != 503 && answer.status() != 429)
        .orThrow();
  }

  /**
   * Retries, because an abandoned request may block the index again after it has been unblocked.
   */
  private static void delete(RestCalls rest, String index) {
    String path = "/" + URLEncoder.encode(index, UTF_8).replace("+", "%20");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .pollDelay(Duration.ZERO)
        .ignoreException(IllegalStateException.class)
        .untilAsserted(() -> {
          untilTaken(
              () -> rest.call("PUT", path + "/_settings?ignore_unavailable=true", UNBLOCKED));
          untilTaken(() -> rest.call("DELETE", path + "?ignore_unavailable=true", ""));
        });
  }

  private static void assertNothingIsOpen(RestCalls rest) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(openContexts(rest)).as("open contexts").isZero());
  }

  private static long openContexts(RestCalls rest) {
    long open = 0;
    for (JsonNode node : untilTaken(() -> rest.get("/_nodes/stats/indices")).json().path("nodes")) {
      open += node.path("indices").path("search").path("open_contexts").asLong(0);
    }
    return open;
  }
}
